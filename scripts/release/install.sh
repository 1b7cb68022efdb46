#!/usr/bin/env bash
# Puts the released program of this machine into a folder: install.sh v0.1.0 FOLDER. It checks the archive's sum and, with gh or cosign, its attestation. The exit code is 0
# if the program is there, 4 if no such release has one for this machine, and 1 if a download is damaged. RANKBOX_RELEASES
# names another place of the releases.
set -euo pipefail
tag=$1 folder=$2
from=${RANKBOX_RELEASES:-https://github.com/rankbox/rankbox/releases/download}/$tag
case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  MINGW* | MSYS* | CYGWIN*) system=windows ;;
  *) echo "no release has a program for $(uname -s)" >&2 && exit 4 ;;
esac
case $(uname -m) in
  x86_64 | amd64) machine=amd64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) echo "no release has a program for $(uname -m)" >&2 && exit 4 ;;
esac
ending=tar.gz
[[ $system != windows ]] || ending=zip
archive=rankbox_${tag#v}_${system}_$machine.$ending
[[ $tag =~ ^v[0-9]+\.[0-9]+\.[0-9]+([-+.0-9A-Za-z]*)$ ]] || { echo "$tag is no version of a release" >&2 && exit 4; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in SHA256SUMS "$archive"; do
  curl -fsSL --retry 3 -o "$work/$name" "$from/$name" || { echo "there is no $from/$name" >&2 && exit 4; }
done
want=$(awk -v name="$archive" '$2 == name { print $1 }' "$work/SHA256SUMS")
have=$( (sha256sum "$work/$archive" 2>/dev/null || shasum -a 256 "$work/$archive") | awk '{ print $1 }')
[[ -n $want && $want == "$have" ]] || { echo "$archive is damaged: its sum is $have, expected $want" >&2 && exit 1; }
# The sum comes from where the archive comes from: it finds a damaged download, not a replaced release. What the workflow
# attested does, if a program that checks that is here and the release is the public one.
if [[ -z ${RANKBOX_RELEASES:-} ]] && command -v gh > /dev/null && gh auth status > /dev/null 2>&1; then
  gh attestation verify "$work/$archive" --repo rankbox/rankbox > "$work/attested" 2>&1 ||
    { cat "$work/attested" >&2 && echo "$archive has no valid attestation of rankbox/rankbox" >&2 && exit 1; }
elif command -v cosign > /dev/null && curl -fsSL --retry 3 -o "$work/bundle" "$from/$archive.sigstore.json" 2> /dev/null; then
  cosign verify-blob-attestation --bundle "$work/bundle" --new-bundle-format --type slsaprovenance1 \
    --certificate-oidc-issuer https://token.actions.githubusercontent.com \
    --certificate-identity-regexp '^https://github.com/rankbox/rankbox/' "$work/$archive" >&2 ||
    { echo "$archive has no valid attestation of rankbox/rankbox" >&2 && exit 1; }
fi
mkdir -p "$folder"
case $ending in
  zip) unzip -qo "$work/$archive" rankbox.exe -d "$folder" ;;
  *) tar -xzf "$work/$archive" -C "$folder" rankbox ;;
esac
