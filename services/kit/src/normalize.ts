// Unicode normalization in linear time.

/** Longest run of combining marks that a script needs, by the Stream-Safe Text Format of UAX #15. */
const marks = /\p{M}{30}/gu;

/** A combining grapheme joiner, which stops the reordering of marks. */
const joiner = "\u034f";

/**
 * Returns the text in a normal form. Sorting a run of marks takes quadratic time, minutes for a megabyte. Longer runs
 * are therefore broken by joiners, as in the Stream-Safe Text Format.
 */
export function normalized(text: string, form: "NFC" | "NFKC" | "NFKD" = "NFC"): string {
  return text.replace(marks, `$&${joiner}`).normalize(form);
}
