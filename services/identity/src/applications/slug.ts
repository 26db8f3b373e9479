/** The API's limit on slugs. */
const slugLengthMax = 256;

/**
 * Converts a title to a slug: "Retail bank: support" → "retail-bank-support"; empty without Latin letters or digits.
 */
export function toSlug(title: string): string {
  return (
    title
      .normalize("NFKD")
      // Combining marks, so that "é" becomes "e" and not "e-".
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+/g, "")
      .slice(0, slugLengthMax)
      .replaceAll(/-+$/g, "")
  );
}
