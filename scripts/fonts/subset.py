"""Cut a Latin variable font of @fontsource-variable down to what Rankbox prints.

    npm pack @fontsource-variable/source-serif-4 @fontsource-variable/ibm-plex-sans && tar -xf ...
    pip install fonttools brotli
    python subset.py source-serif-4-latin-wght-normal.woff2 ../../site/fonts/rankbox-serif.woff2 "Rankbox Serif" 400 700
    python subset.py ibm-plex-sans-latin-wght-normal.woff2 ../../site/fonts/rankbox-sans.woff2 "Rankbox Sans" 400 700

The Open Font License reserves the names "Source" and "Plex", so the subsets have names of their own. Both licences stand
beside this script, and the build publishes them in licences.txt.
"""

import io
import sys

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

# ASCII, Latin-1, typographic marks and the few signs that figures use. Missing glyphs fall back to the system's fonts.
CHARACTERS = [*range(0x20, 0x7F), *range(0xA0, 0x100)] + [ord(c) for c in "ıŒœ–—‘’‚“”„•…\u202f\u2009‹›€™←↑→↓−≈≠≤≥√∑▾▸✓✕"]
FEATURES = "kern liga tnum lnum sups mark mkmk ccmp locl frac zero calt".split()


def main(source, target, name, lightest, boldest):
    options = subset.Options()
    options.layout_features, options.hinting, options.notdef_outline = FEATURES, False, True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    font = TTFont(source)
    cut = subset.Subsetter(options)
    cut.populate(unicodes=CHARACTERS)
    cut.subset(font)
    # the instancer reads a font as it is stored, so the subset is written and read once
    stored = io.BytesIO()
    font.flavor = None
    font.save(stored)
    stored.seek(0)
    font = TTFont(stored)
    low, high = float(lightest), float(boldest)
    default = next(a.defaultValue for a in font["fvar"].axes if a.axisTag == "wght")
    font = instancer.instantiateVariableFont(font, {"wght": (low, max(low, min(default, high)), high)})
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = name.replace(" ", "") if record.nameID == 6 else name
    font.flavor = "woff2"
    font.save(target)
    metrics = font["hhea"]
    print(f"{target}: {len(font.getBestCmap())} glyphs, ascent {metrics.ascent}, descent {metrics.descent} of {font['head'].unitsPerEm}")


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
