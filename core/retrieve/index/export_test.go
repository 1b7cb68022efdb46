package index

// Checksum lets tests reseal changed bytes.
var Checksum = checksum
