// Pages in HTML.

import { Parser } from "htmlparser2";
import type { ReadBudget } from "./budget.ts";
import { type DetectedText, detectText } from "./detect-encoding.ts";
import type { DocxBlock } from "./docx.ts";

/** Elements whose content is not text of the page. */
const hidden = new Set(
  "head title script style noscript template svg math iframe object canvas audio video select".split(" "),
);
/** Elements that begin and end a paragraph. */
const blocks = new Set(
  `address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header
  hr html legend main nav p pre section summary`.split(/\s+/),
);
const cells = new Set(["td", "th"]);
const declaredEncoding = /charset\s*=\s*["']?\s*([\w.:-]{2,40})/i;
const declarationBytes = 1_024;

export interface HtmlPage {
  readonly blocks: readonly DocxBlock[];
  readonly encoding: string;
}

/** Reads headings, paragraphs, lists and tables. Values are elements; depth is their nesting. */
export function readHtml(bytes: Uint8Array, budget: ReadBudget): HtmlPage {
  const beginning = Buffer.from(bytes.subarray(0, declarationBytes)).toString("latin1");
  const { text, encoding }: DetectedText = detectText(bytes, budget, declaredEncoding.exec(beginning)?.[1]);
  const page = new PageBuilder(budget);
  const parser = new Parser({
    onopentag: (name, attributes) => page.open(name, attributes),
    ontext: (data) => page.add(data),
    onclosetag: (name) => page.close(name),
  });
  parser.end(text);
  return { blocks: page.end(), encoding };
}

interface OpenList {
  readonly isOrdered: boolean;
}

class PageBuilder {
  readonly #budget: ReadBudget;
  readonly #blocks: DocxBlock[] = [];
  readonly #lists: OpenList[] = [];
  /** Names of open elements whose content is skipped; the first one ends it. */
  #hiddenDepth = 0;
  readonly #hidden: boolean[] = [];
  #tableDepth = 0;
  #rows: string[][] = [];
  #text = "";
  #heading: number | undefined;
  #isItem = false;
  #preDepth = 0;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#budget.spendValues(1);
    this.#budget.spendLevel();
    const isHidden = hidden.has(name) || attributes.hidden !== undefined;
    this.#hidden.push(isHidden);
    if (isHidden) this.#hiddenDepth += 1;
    if (this.#hiddenDepth > 0) return;
    if (name === "br") this.#text += "\n";
    else if (name === "table") this.#openTable();
    else if (this.#tableDepth > 0) this.#openInTable(name);
    else if (/^h[1-6]$/.test(name)) {
      this.#flush();
      this.#heading = Number(name.slice(1));
    } else if (name === "ul" || name === "ol") {
      this.#flush();
      this.#lists.push({ isOrdered: name === "ol" });
    } else if (name === "li") {
      this.#flush();
      this.#isItem = true;
    } else if (blocks.has(name)) {
      this.#flush();
      if (name === "pre") this.#preDepth += 1;
    }
  }

  add(data: string): void {
    if (this.#hiddenDepth > 0) return;
    this.#text += this.#preDepth > 0 ? data : data.replace(/[\t\n\f\r ]+/g, " ");
  }

  close(name: string): void {
    this.#budget.leaveLevel();
    const wasVisible = this.#hiddenDepth === 0;
    if (this.#hidden.pop() === true) this.#hiddenDepth -= 1;
    if (!wasVisible) return;
    if (name === "table") this.#closeTable();
    else if (this.#tableDepth > 0) this.#closeInTable(name);
    else if (/^h[1-6]$/.test(name) || name === "li" || blocks.has(name)) {
      this.#flush();
      if (name === "li") this.#isItem = false;
      if (name === "pre" && this.#preDepth > 0) this.#preDepth -= 1;
    } else if (name === "ul" || name === "ol") {
      this.#flush();
      this.#lists.pop();
      this.#isItem = this.#lists.length > 0;
    }
  }

  end(): readonly DocxBlock[] {
    this.#flush();
    return this.#blocks;
  }

  #openTable(): void {
    if (this.#tableDepth === 0) {
      this.#flush();
      this.#rows = [];
    }
    this.#tableDepth += 1;
  }

  #closeTable(): void {
    this.#tableDepth = Math.max(0, this.#tableDepth - 1);
    if (this.#tableDepth > 0) return;
    this.#addCellText();
    if (this.#rows.some((row) => row.some((cell) => cell !== "")))
      this.#blocks.push({ kind: "table", rows: this.#rows });
    this.#rows = [];
  }

  /** Cells of inner tables are text of the outer cell. */
  #openInTable(name: string): void {
    if (this.#tableDepth === 1 && (name === "tr" || cells.has(name) || name === "caption")) {
      this.#addCellText();
      if (name === "tr") this.#rows.push([]);
      else this.#rows.at(-1)?.push("");
    } else if (blocks.has(name) || cells.has(name) || name === "li") this.#text += "\n";
  }

  #closeInTable(name: string): void {
    if (this.#tableDepth === 1 && (name === "tr" || cells.has(name) || name === "caption")) this.#addCellText();
    else if (blocks.has(name) || name === "li") this.#text += "\n";
  }

  #addCellText(): void {
    const text = this.#takeText();
    const row = this.#rows.at(-1);
    if (row === undefined || row.length === 0) {
      if (text !== "") this.#blocks.push({ kind: "paragraph", text });
    } else row[row.length - 1] = `${row.at(-1)}${text}`;
  }

  #flush(): void {
    const isPre = this.#preDepth > 0;
    const raw = this.#text;
    const text = this.#takeText();
    const heading = this.#heading;
    this.#heading = undefined;
    if (text === "") return;
    if (heading !== undefined) this.#blocks.push({ kind: "heading", level: heading, text });
    else if (isPre) this.#blocks.push({ kind: "paragraph", text: `\`\`\`\n${raw.replace(/^\n|\n+$/g, "")}\n\`\`\`` });
    else if (this.#isItem) {
      const isOrdered = this.#lists.at(-1)?.isOrdered === true;
      this.#blocks.push({ kind: "item", level: Math.max(0, this.#lists.length - 1), isOrdered, text });
    } else this.#blocks.push({ kind: "paragraph", text });
  }

  #takeText(): string {
    const lines = this.#text.split("\n").map((line) => line.trim());
    this.#text = "";
    const text = lines.filter((line) => line !== "").join("\n");
    this.#budget.spendBytes(text.length);
    return text;
  }
}
