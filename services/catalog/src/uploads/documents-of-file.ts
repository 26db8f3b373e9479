import {
  type DocxBlock,
  decodeText,
  ReadBudget,
  type ReadLimits,
  readCsv,
  readDocx,
  readPdf,
  readXlsx,
  UnreadableText,
} from "@ems/kit/readers";
import { answerBytesMax, sizeText } from "@ems/proto/limits";
import { docxLimits, pagesMax, pdfLimits, sheetsMax, tableLimits } from "./limits.ts";
import { markdownDocument, markdownTable } from "./markdown.ts";
import { Refusal } from "./refusal.ts";

/** A document to create from a file. */
export interface DocumentText {
  readonly title: string;
  readonly content: string;
}

export interface ReadDocuments {
  readonly documents: readonly DocumentText[];
  /** Number of characters that were replaced because PostgreSQL cannot store them. */
  readonly replacedCharacters: number;
}

export interface UploadedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The API's maximum length of a title. */
const titleLengthMax = 1000;

interface Format {
  readonly names: RegExp;
  readonly mediaTypes: RegExp;
  readonly limits: ReadLimits;
  readonly read: (bytes: Uint8Array<ArrayBuffer>, title: string, budget: ReadBudget) => Promise<DocumentText[]>;
}

const office = "application\\/vnd\\.openxmlformats-officedocument\\.";

const formats: readonly Format[] = [
  {
    names: /\.(md|markdown|mdx|txt|text)$/i,
    mediaTypes: /^text\/(markdown|plain|x-markdown)$/,
    limits: tableLimits,
    read: async (bytes, title, budget) => [{ title, content: decodeText(bytes, budget) }],
  },
  {
    names: /\.(csv|tsv)$/i,
    mediaTypes: /^text\/(csv|tab-separated-values)$/,
    limits: tableLimits,
    read: async (bytes, title, budget) => {
      const rows = await Array.fromAsync(readCsv(bytes, budget), ({ cells }) => cells);
      return [{ title, content: markdownTable(rows) }];
    },
  },
  {
    names: /\.pdf$/i,
    mediaTypes: /^application\/pdf$/,
    limits: pdfLimits,
    read: async (bytes, title, budget) => [{ title, content: await pdfText(bytes, budget) }],
  },
  {
    names: /\.docx$/i,
    mediaTypes: new RegExp(`^${office}wordprocessingml\\.document$`),
    limits: docxLimits,
    read: async (bytes, title, budget) => {
      const blocks: DocxBlock[] = await Array.fromAsync(readDocx(bytes, budget));
      return [{ title, content: markdownDocument(blocks) }];
    },
  },
  {
    names: /\.xlsx$/i,
    mediaTypes: new RegExp(`^${office}spreadsheetml\\.sheet$`),
    limits: tableLimits,
    read: async (bytes, title, budget) => {
      const sheets = await Array.fromAsync(readXlsx(bytes, budget, { sheets: sheetsMax }));
      const filled = sheets.filter(({ rows }) => rows.length > 0);
      return filled.map(({ name, rows }) => ({
        title: filled.length === 1 ? title : `${title}: ${name}`,
        content: markdownTable(rows.map(({ cells }) => cells)),
      }));
    },
  },
];

/** Reads the documents in a file. Its format is known from the file extension, else from the media type. */
export async function readDocuments({ name, mediaType, bytes }: UploadedFile): Promise<ReadDocuments> {
  const format =
    formats.find(({ names }) => names.test(name)) ?? formats.find(({ mediaTypes }) => mediaTypes.test(mediaType));
  if (format === undefined) throw new Refusal("Expected a file of Markdown, text, CSV, PDF, DOCX or XLSX");
  const title = name.replace(format.names, "") || name;
  const budget = new ReadBudget(format.limits);
  const documents = (await readAs(format, bytes, title, budget))
    .map((document) => ({ ...document, title: document.title.slice(0, titleLengthMax).toWellFormed() }))
    .filter(({ content }) => content.trim() !== "");
  if (documents.length === 0) throw new Refusal("The file has no text");
  const size = documents.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (size > answerBytesMax) throw tooMuchText();
  return { documents, replacedCharacters: budget.replacedCharacters };
}

async function readAs({ read }: Format, bytes: Uint8Array<ArrayBuffer>, title: string, budget: ReadBudget) {
  try {
    return await read(bytes, title, budget);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    throw new Refusal(error.message, { isTooLarge: error.reason === "LIMIT" });
  }
}

async function pdfText(bytes: Uint8Array<ArrayBuffer>, budget: ReadBudget): Promise<string> {
  const pages: string[] = [];
  let length = 0;
  for await (const { text } of readPdf(bytes, budget, { pages: pagesMax })) {
    length += text.length;
    if (length > answerBytesMax) throw tooMuchText();
    if (text !== "") pages.push(text);
  }
  if (pages.length === 0) throw new Refusal("The PDF has no text: scanned pages are not recognized");
  return pages.join("\n\n");
}

function tooMuchText(): Refusal {
  return new Refusal(`The file has more than ${sizeText(answerBytesMax)} of text`, { isTooLarge: true });
}
