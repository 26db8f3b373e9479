// Text of PDFs. Pictures and fonts are not decoded; scanned pages have no text.

import { type ReadBudget, UnreadableText } from "./budget.ts";
import { makeStorable } from "./storable-text.ts";

export interface PdfPage {
  readonly page: number;
  readonly text: string;
}

export interface PdfLimits {
  readonly pages: number;
}

/**
 * Reads the pages of a PDF. Values are the pieces of text that PDF.js finds. Streams may inflate a thousandfold outside
 * the heap, and a page blocks the thread: use a worker thread with limited memory and time.
 */
export async function* readPdf(bytes: Uint8Array, budget: ReadBudget, limits: PdfLimits): AsyncGenerator<PdfPage> {
  budget.spendBytes(bytes.length);
  const { getDocumentProxy } = await import("unpdf");
  const options = { maxImageSize: 0, disableFontFace: true, stopAtErrors: false };
  // PDF.js takes ownership of the buffer, and does not accept Node's Buffer.
  const pdf = await readable({}, getDocumentProxy(new Uint8Array(bytes), options));
  if (pdf.numPages > limits.pages)
    throw new UnreadableText(`Expected at most ${limits.pages} pages`, { page: limits.pages + 1 }, "LIMIT");
  for (let page = 1; page <= pdf.numPages; page++) {
    const proxy = await readable({ page }, pdf.getPage(page));
    const { items } = await readable({ page }, proxy.getTextContent());
    budget.spendValues(items.length, { page });
    const text = items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
    proxy.cleanup();
    budget.spendBytes(text.length, { page });
    yield { page, text: makeStorable(text.trim(), budget) };
  }
}

/** Converts any exception of the library to an error of the file. */
function readable<Result>(position: { readonly page?: number }, reading: Promise<Result>): Promise<Result> {
  return reading.catch(() => {
    throw new UnreadableText("The file cannot be read as PDF", position);
  });
}
