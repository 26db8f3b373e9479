// Word documents (Office Open XML).

import { type ReadBudget, UnreadableText } from "./budget.ts";
import { makeStorable } from "./storable-text.ts";
import { unzipXml, zipStored } from "./unzip.ts";
import { xmlTags } from "./xml-tags.ts";

export type DocxBlock =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  /** An item of a list; the outermost level is 0. */
  | { readonly kind: "item"; readonly level: number; readonly isOrdered: boolean; readonly text: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

/**
 * Reads headings, paragraphs, lists, tables and, at the end, notes. Values are the XML's elements; depth is their
 * nesting. The library blocks the thread, about 1 s for 100,000 elements: use a worker thread.
 */
export async function* readDocx(bytes: Uint8Array, budget: ReadBudget): AsyncGenerator<DocxBlock> {
  const files = await unzipXml(bytes, budget, "DOCX");
  for (const xml of Object.values(files)) measureElements(xml, budget);
  const document = await readDocument(Buffer.from(await zipStored(files)));
  const notes: Note[] = [];
  for (const element of document.children ?? []) {
    const block = blockFrom(element, { document, notes });
    if (block === undefined) continue;
    budget.spendBytes(block.kind === "table" ? block.rows.flat().join("").length : block.text.length);
    yield storableBlock(block, budget);
  }
  for (const [at, note] of notes.entries()) {
    const text = `[${at + 1}] ${joined(note.body, { document, notes: [] })}`;
    budget.spendBytes(text.length);
    yield { kind: "paragraph", text: makeStorable(text, budget) };
  }
}

/** Element in mammoth's `transformDocument`. */
interface Element {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Element[];
  readonly styleId?: string | null;
  readonly styleName?: string | null;
  readonly numbering?: { readonly isOrdered: boolean; readonly level: string | number } | null;
}

interface Note {
  readonly body: readonly Element[];
}

interface WordDocument extends Element {
  readonly notes: { resolve(reference: Element): Note | null };
}

interface Context {
  readonly document: WordDocument;
  /** Notes in the order of their references. */
  readonly notes: Note[];
}

async function readDocument(buffer: Buffer): Promise<WordDocument> {
  const { default: mammoth } = await import("mammoth");
  let document: WordDocument | undefined;
  // Takes the document's tree, and replaces it with an empty document: the library need not produce HTML.
  const transformDocument = (whole: WordDocument) => {
    document = whole;
    return { ...whole, children: [] };
  };
  const options = { transformDocument, externalFileAccess: false, includeEmbeddedStyleMap: false };
  await mammoth.convertToHtml({ buffer }, options).catch(() => {
    throw new UnreadableText("The file cannot be read as DOCX");
  });
  if (document === undefined) throw new UnreadableText("The file has no document");
  return document;
}

function measureElements(xml: Uint8Array, budget: ReadBudget): void {
  let elements = 0;
  let level = 0;
  for (const tag of xmlTags(Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength))) {
    if (tag.isEnd) {
      if (level === 0) continue;
      level -= 1;
      budget.leaveLevel();
    } else {
      elements += 1;
      if (elements > budget.limits.values) break;
      if (tag.isEmpty) continue;
      level += 1;
      budget.spendLevel();
    }
  }
  while (level-- > 0) budget.leaveLevel();
  budget.spendValues(elements);
}

function blockFrom(element: Element, context: Context): DocxBlock | undefined {
  if (element.type === "table")
    return { kind: "table", rows: (element.children ?? []).map((row) => readCells(row, context)) };
  const text = textIn(element, context).trim();
  if (text === "") return undefined;
  const level = headingLevel(element);
  if (level !== undefined) return { kind: "heading", level, text };
  const { numbering } = element;
  if (!numbering) return { kind: "paragraph", text };
  return { kind: "item", level: Number(numbering.level) || 0, isOrdered: numbering.isOrdered, text };
}

/**
 * Returns a heading's level. Word's built-in styles have English names in every language; a title is above headings of
 * level 1.
 */
function headingLevel({ styleName }: Element): number | undefined {
  if (/^title$/i.test(styleName ?? "")) return 1;
  const [, level] = /^heading ([1-6])$/i.exec(styleName ?? "") ?? [];
  return level === undefined ? undefined : Number(level);
}

function readCells(row: Element, context: Context): string[] {
  return (row.children ?? []).map((cell) => joined(cell.children ?? [], context));
}

function joined(elements: readonly Element[], context: Context): string {
  return elements
    .map((element) => textIn(element, context).trim())
    .filter((text) => text !== "")
    .join("\n");
}

function textIn(element: Element, context: Context): string {
  switch (element.type) {
    case "text":
      return element.value ?? "";
    case "tab":
      return "\t";
    case "break":
      return "\n";
    case "noteReference":
      return noteMark(element, context);
    case "table":
    case "tableRow":
    case "tableCell":
      return joined(element.children ?? [], context);
    default:
      return (element.children ?? []).map((child) => textIn(child, context)).join("");
  }
}

function noteMark(reference: Element, { document, notes }: Context): string {
  const note = document.notes.resolve(reference);
  if (note === null) return "";
  notes.push(note);
  return `[${notes.length}]`;
}

function storableBlock(block: DocxBlock, budget: ReadBudget): DocxBlock {
  if (block.kind !== "table") return { ...block, text: makeStorable(block.text, budget) };
  return { ...block, rows: block.rows.map((row) => row.map((cell) => makeStorable(cell, budget))) };
}
