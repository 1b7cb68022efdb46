package experiment

// twinLevel is the share of common shingles from which two texts are near-duplicates.
const twinLevel = 0.4
