import {
  type DocxBlock,
  detectText,
  ReadBudget,
  type ReadLimits,
  readCsv,
  readDocx,
  readHtml,
  readJsonText,
  readPdf,
  readXlsx,
  UnreadableText,
} from "@ems/kit/readers";
import { answerBytesMax, sizeText } from "@ems/proto/limits";
import { docxLimits, htmlLimits, jsonLimits, pagesMax, pdfLimits, sheetsMax, tableLimits } from "./limits.ts";
import { markdownDocument, markdownTable } from "./markdown.ts";
import { Refusal } from "./refusal.ts";

/** A document to create from a file. */
export interface DocumentText {
  readonly title: string;
  readonly content: string;
}

export interface ReadDocuments {
  readonly documents: readonly DocumentText[];
  readonly files: readonly FileSummary[];
  /** Number of characters that were replaced because PostgreSQL cannot store them. */
  readonly replacedCharacters: number;
}

export interface FileSummary {
  readonly name: string;
  readonly documents: number;
  /** Encoding of the file's text; undefined for formats that state it. */
  readonly encoding?: string;
}

/** A file's documents, and the encoding of its text; undefined for formats that state it. */
interface ReadFile {
  readonly documents: readonly DocumentText[];
  readonly encoding?: string;
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
  readonly read: (bytes: Uint8Array<ArrayBuffer>, title: string, budget: ReadBudget) => Promise<ReadFile>;
}

const office = "application\\/vnd\\.openxmlformats-officedocument\\.";

const formats: readonly Format[] = [
  {
    names: /\.(md|markdown|mdx|txt|text)$/i,
    mediaTypes: /^text\/(markdown|plain|x-markdown)$/,
    limits: tableLimits,
    read: async (bytes, title, budget) => {
      const { text, encoding } = detectText(bytes, budget);
      return { documents: [{ title, content: text }], encoding };
    },
  },
  {
    names: /\.(csv|tsv)$/i,
    mediaTypes: /^text\/(csv|tab-separated-values)$/,
    limits: tableLimits,
    read: async (bytes, title, budget) => {
      const { text, encoding } = detectText(bytes, budget);
      const rows = await Array.fromAsync(readCsv(text, budget), ({ cells }) => cells);
      return { documents: [{ title, content: markdownTable(rows) }], encoding };
    },
  },
  {
    names: /\.pdf$/i,
    mediaTypes: /^application\/pdf$/,
    limits: pdfLimits,
    read: async (bytes, title, budget) => ({ documents: [{ title, content: await pdfText(bytes, budget) }] }),
  },
  {
    names: /\.docx$/i,
    mediaTypes: new RegExp(`^${office}wordprocessingml\\.document$`),
    limits: docxLimits,
    read: async (bytes, title, budget) => {
      const blocks: DocxBlock[] = await Array.fromAsync(readDocx(bytes, budget));
      return { documents: [{ title, content: markdownDocument(blocks) }] };
    },
  },
  {
    names: /\.(html?|xhtml)$/i,
    mediaTypes: /^(text\/html|application\/xhtml\+xml)$/,
    limits: htmlLimits,
    read: async (bytes, title, budget) => {
      const { blocks, encoding } = readHtml(bytes, budget);
      return { documents: [{ title, content: markdownDocument(blocks) }], encoding };
    },
  },
  {
    names: /\.json$/i,
    mediaTypes: /^application\/json$/,
    limits: tableLimits,
    read: async (bytes, title, budget) => {
      const { text, encoding } = detectText(bytes, budget);
      return { documents: jsonDocuments(text, title), encoding };
    },
  },
  {
    names: /\.xlsx$/i,
    mediaTypes: new RegExp(`^${office}spreadsheetml\\.sheet$`),
    limits: tableLimits,
    read: async (bytes, title, budget) => {
      const sheets = await Array.fromAsync(readXlsx(bytes, budget, { sheets: sheetsMax }));
      const filled = sheets.filter(({ rows }) => rows.length > 0);
      const documents = filled.map(({ name, rows }) => ({
        title: filled.length === 1 ? title : `${title}: ${name}`,
        content: markdownTable(rows.map(({ cells }) => cells)),
      }));
      return { documents };
    },
  },
];

/** Reads the documents in files: all or none. */
export async function readDocuments(files: readonly UploadedFile[]): Promise<ReadDocuments> {
  const documents: DocumentText[] = [];
  const read: FileSummary[] = [];
  let [replacedCharacters, size] = [0, 0];
  for (const file of files) {
    const { encoding, ...found } = await readFile(file).catch((error: unknown) => {
      throw files.length > 1 && error instanceof Refusal ? inFile(file, error) : error;
    });
    replacedCharacters += found.replacedCharacters;
    size += found.documents.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (size > answerBytesMax) throw tooMuchText();
    documents.push(...found.documents);
    read.push({ name: file.name, documents: found.documents.length, ...(encoding !== undefined && { encoding }) });
  }
  return { documents, files: read, replacedCharacters };
}

function inFile({ name }: UploadedFile, { fault }: Refusal): Refusal {
  return new Refusal(`${name.slice(0, 100)}: ${fault.message}`, fault);
}

/** Reads the documents in a file. Its format is known from the file extension, else from the media type. */
async function readFile({ name, mediaType, bytes }: UploadedFile) {
  const format =
    formats.find(({ names }) => names.test(name)) ?? formats.find(({ mediaTypes }) => mediaTypes.test(mediaType));
  if (format === undefined) throw new Refusal("Expected a file of Markdown, text, HTML, JSON, CSV, PDF, DOCX or XLSX");
  const title = name.replace(format.names, "") || name;
  const budget = new ReadBudget(format.limits);
  const { documents, encoding } = await readAs(format, bytes, title, budget);
  const filled = documents
    .map((document) => ({ ...document, title: document.title.slice(0, titleLengthMax).toWellFormed() }))
    .filter(({ content }) => content.trim() !== "");
  if (filled.length === 0) throw new Refusal("The file has no text");
  return { documents: filled, replacedCharacters: budget.replacedCharacters, encoding };
}

async function readAs({ read }: Format, bytes: Uint8Array<ArrayBuffer>, title: string, budget: ReadBudget) {
  try {
    return await read(bytes, title, budget);
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    throw new Refusal(error.message, { isTooLarge: error.reason === "LIMIT" });
  }
}

const contentNames = ["content", "text", "body"];
const titleNames = ["title", "name"];

/** A list of objects with a text each becomes a document for each; any other JSON is the content as it was sent. */
function jsonDocuments(text: string, title: string): DocumentText[] {
  const value = readJsonText(text, jsonLimits);
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const documents = items.map((item, index) => {
    const content = getText(item, contentNames);
    const own = getText(item, titleNames) ?? (items.length === 1 ? title : `${title}: ${index + 1}`);
    return content === undefined ? undefined : { title: own, content };
  });
  const found = documents.filter((document) => document !== undefined);
  return found.length === items.length && items.length > 0 ? found : [{ title, content: text }];
}

function getText(item: unknown, names: readonly string[]): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const values = new Map(Object.entries(item));
  return names.map((name) => values.get(name)).find((value) => typeof value === "string" && value !== "");
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
