/** The API's maximum length of a slug. */
const slugLengthMax = 256;

/**
 * Converts a title to a slug: "Retail bank: support" → "retail-bank-support". Empty without Latin letters or digits.
 */
export function toSlug(title: string): string {
  return (
    title
      .normalize("NFKD")
      // Removes combining marks, so that "é" becomes "e" instead of "e-".
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+/g, "")
      .slice(0, slugLengthMax)
      .replaceAll(/-+$/g, "")
  );
}
