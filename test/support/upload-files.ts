// Files for tests, built by hand so that a test defines their content.

import { deflateSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";

/** A PDF with a page for each text; `content` replaces the pages' streams. */
export function buildPdf(texts: readonly string[], content?: Buffer): Uint8Array<ArrayBuffer> {
  const streams = texts.map((text) => content ?? deflateSync(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`));
  const pageIds = texts.map((_, index) => 4 + 2 * index);
  const objects: (string | Buffer)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pageIds.map((id) => `${id} 0 R`).join(" ")}] /Count ${texts.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...streams.flatMap((stream, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      Buffer.concat([
        Buffer.from(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`),
        stream,
        Buffer.from("\nendstream"),
      ]),
    ]),
  ];
  let file = Buffer.from("%PDF-1.7\n");
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file = Buffer.concat([file, Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]);
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([file, Buffer.from(table + trailer)]));
}

/** A workbook with sheets by name, each the XML of its rows. */
export function buildXlsx(sheets: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets);
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const rels = (entries: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries}</Relationships>`;
  const files: Record<string, string> = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "_rels/.rels": rels(`<Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`),
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names
      .map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": rels(
      names
        .map(
          (_, index) =>
            `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
        )
        .join(""),
    ),
    "xl/styles.xml": `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
  };
  for (const [index, rows] of Object.values(sheets).entries()) {
    files[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`;
  }
  const zipped = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
  return new Uint8Array(zipped);
}

/** A Word document with the XML of its body. */
export function buildDocx(body: string): Uint8Array<ArrayBuffer> {
  const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const files = {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<w:document xmlns:w="${main}"><w:body>${body}</w:body></w:document>`,
  };
  return new Uint8Array(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  );
}

/** The form data of a file, as sent by a browser. */
export async function buildUpload(file: File, fields: Readonly<Record<string, string>> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", file);
  const sent = new Response(form);
  return { payload: new Uint8Array(await sent.arrayBuffer()), contentType: sent.headers.get("content-type") ?? "" };
}
