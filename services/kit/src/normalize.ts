// Unicode normalization in linear time.

/** Longest run of combining marks that a script needs, by the Stream-Safe Text Format of UAX #15. */
const marks = /\p{M}{30}/gu;

/** A combining grapheme joiner, over which marks are not reordered. */
const joiner = "\u034f";

/**
 * Returns the text in a normal form. Sorting a run of marks takes the square of its length, minutes for a megabyte: longer runs
 * are broken by joiners, as the Stream-Safe Text Format does.
 */
export function normalized(text: string, form: "NFC" | "NFKD" = "NFC"): string {
  return text.replace(marks, `$&${joiner}`).normalize(form);
}
