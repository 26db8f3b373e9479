import { type UnzipFileInfo, unzipSync, zipSync } from "fflate";
import readWorkbook from "read-excel-file/universal";
import { cellsMax, sheetsMax, unpackedBytesMax } from "./limits.ts";
import { Refusal } from "./refusal.ts";
import { markdownTable, tooManyCells } from "./table.ts";

export interface SheetText {
  readonly name: string;
  readonly text: string;
}

/** The sheets of a workbook as tables, without empty ones. */
export async function sheetTexts(bytes: Uint8Array): Promise<SheetText[]> {
  const sheets = await readWorkbook(trusted(bytes));
  if (sheets.length > sheetsMax) throw new Refusal(`A workbook has at most ${sheetsMax} sheets`, { isTooLarge: true });
  const texts = sheets.map(({ sheet, data }) => ({
    name: sheet,
    text: markdownTable(
      data.map((row) => row.map((cell) => cellText(cell as string | number | boolean | Date | null))),
    ),
  }));
  return texts.filter(({ text }) => text !== "");
}

/**
 * The archive's XML without compression. Unpacked here, where what a file says of its size is all that it gets; the library
 * would unpack a file to whatever it becomes.
 */
function trusted(bytes: Uint8Array): ArrayBuffer {
  let total = 0;
  const isWanted = ({ name, originalSize }: UnzipFileInfo) => {
    if (!/\.(xml|rels)$/i.test(name)) return false;
    total += originalSize;
    if (total > unpackedBytesMax)
      throw new Refusal("The workbook is too large when it is unpacked", { isTooLarge: true });
    return true;
  };
  const files = unzipSync(bytes, { filter: isWanted });
  // Counted before the library makes objects of them.
  if (Object.values(files).reduce((cells, xml) => cells + cellsOf(xml), 0) > cellsMax) throw tooManyCells();
  const zipped = zipSync(files, { level: 0 });
  return zipped.buffer.slice(zipped.byteOffset, zipped.byteOffset + zipped.byteLength) as ArrayBuffer;
}

/** How many elements `c` there are. */
function cellsOf(xml: Uint8Array): number {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength);
  let cells = 0;
  for (let at = text.indexOf("<c"); at !== -1; at = text.indexOf("<c", at + 2)) {
    if (" >/\n\t\r".includes(String.fromCharCode(text[at + 2] ?? 0))) cells += 1;
  }
  return cells;
}

function cellText(cell: string | number | boolean | Date | null): string {
  if (cell === null) return "";
  if (!(cell instanceof Date)) return String(cell);
  return cell.toISOString().replace(/T00:00:00\.000Z$/, "");
}
