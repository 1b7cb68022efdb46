package index

// Checksum is for tests that change bytes and seal them again.
var Checksum = checksum
