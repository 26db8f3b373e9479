import { answerBytesMax } from "@ems/proto/limits";
import { getDocumentProxy } from "unpdf";
import { pagesMax } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** The text of all pages. Nothing is drawn: images and fonts are not decoded. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(bytes, { maxImageSize: 0, disableFontFace: true, stopAtErrors: false });
  if (pdf.numPages > pagesMax) throw new Refusal(`A PDF has at most ${pagesMax} pages`, { isTooLarge: true });
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
    page.cleanup();
    length += text.length;
    if (length > answerBytesMax) throw new Refusal("The PDF has too much text", { isTooLarge: true });
    pages.push(text.trim());
  }
  const text = pages.filter((page) => page !== "").join("\n\n");
  if (text === "") throw new Refusal("The PDF has no text: scanned pages are not recognised");
  return text;
}
