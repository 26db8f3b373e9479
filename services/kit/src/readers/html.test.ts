import { expect, test } from "vitest";
import { ReadBudget, UnreadableText } from "./budget.ts";
import { detectText } from "./detect-encoding.ts";
import { readHtml } from "./html.ts";

const budget = () => new ReadBudget({ values: 1_000, columns: 100, depth: 100, bytes: 1_000_000 });
const page = (html: string | Uint8Array) => readHtml(typeof html === "string" ? Buffer.from(html) : html, budget());

test("headings, paragraphs, lists and tables", () => {
  const { blocks } = page(`<!doctype html><html><head><title>Fees</title><style>p{}</style></head><body>
    <h1>Fees &amp; <em>more</em></h1><p>An account<br>costs   nothing.<script>bad()</script></p>
    <ul><li>Giro<ul><li>inner</li></ul></li><li><p>Depot</p></ol></li></ul><ol><li>first</ol>
    <table><caption>Rates</caption><thead><tr><th>Card<th>Fee</tr></thead><tr><td>Gold<td>1 <b>€</b></tr></table>
    <p hidden>secret</p>text<div>at the end</div><pre>a
  b</pre>`);
  expect(blocks).toEqual([
    { kind: "heading", level: 1, text: "Fees & more" },
    { kind: "paragraph", text: "An account\ncosts nothing." },
    { kind: "item", level: 0, isOrdered: false, text: "Giro" },
    { kind: "item", level: 1, isOrdered: false, text: "inner" },
    { kind: "item", level: 0, isOrdered: false, text: "Depot" },
    { kind: "item", level: 0, isOrdered: true, text: "first" },
    { kind: "paragraph", text: "Rates" },
    {
      kind: "table",
      rows: [
        ["Card", "Fee"],
        ["Gold", "1 €"],
      ],
    },
    { kind: "paragraph", text: "text" },
    { kind: "paragraph", text: "at the end" },
    { kind: "paragraph", text: "```\na\n  b\n```" },
  ]);
});

test("the declared encoding is used, unless the file has another one", () => {
  const declared = (name: string, text: string) => Buffer.from(`<meta charset="${name}"><p>${text}`, "latin1");
  expect(page(declared("iso-8859-2", "\xb1")).blocks).toEqual([{ kind: "paragraph", text: "ą" }]);
  expect(page(Buffer.from("<meta charset=latin1><p>é")).encoding).toBe("utf-8");
  expect(page(declared("utf-8", "Geb\xfchren f\xfcr \xc4rzte und \xd6sterreich")).encoding).toBe("windows-1252");
});

test("a page of too many elements, or too deep, is refused", () => {
  expect(() => page("<b>".repeat(101))).toThrow(UnreadableText);
  expect(() => page("<p>x</p>".repeat(1_001))).toThrow(UnreadableText);
  expect(page("</p></ul></table></li>x").blocks).toEqual([{ kind: "paragraph", text: "x" }]);
});

const german = "Die Gebühren für Überweisungen betragen 5 € – außer für Mitglieder der Genossenschaft.";

// Bytes that Python made of the same texts.
const encoded: [string, Buffer, string][] = [
  [
    "windows-1252",
    Buffer.from(
      "44696520476562fc6872656e2066fc7220dc62657277656973756e67656e20626574726167656e203520802096206175df65722066fc72204d6974676c6965646572206465722047656e6f7373656e7363686166742e",
      "hex",
    ),
    "Die Gebühren für Überweisungen betragen 5 € – außer für Mitglieder der Genossenschaft.",
  ],
  [
    "shift_jis",
    Buffer.from(
      "834a815b836882f095b48eb882b582bd8fea8d8782cd814182b782ae82c982a88b71976c835a8393835e815b82d682b29841978d82ad82be82b382a2814295a582a296df82b582c982cd8e4f93fa82a982a982e882dc82b78142",
      "hex",
    ),
    "カードを紛失した場合は、すぐにお客様センターへご連絡ください。払い戻しには三日かかります。",
  ],
  [
    "euc-jp",
    Buffer.from(
      "a5aba1bca5c9a4f2cab6bcbaa4b7a4bfbeecb9e7a4cfa1a2a4b9a4b0a4cba4aab5d2cdcda5bba5f3a5bfa1bca4d8a4b4cfa2cdeda4afa4c0a4b5a4a4a1a3caa7a4a4cce1a4b7a4cba4cfbbb0c6fca4aba4aba4eaa4dea4b9a1a3",
      "hex",
    ),
    "カードを紛失した場合は、すぐにお客様センターへご連絡ください。払い戻しには三日かかります。",
  ],
  [
    "gb18030",
    Buffer.from(
      "ced2d2aac9eac7ebcdcbbfeea3acd0bbd0bbc4fab5c4b0efd6faa1a3c7ebbea1bfecb4a6c0edced2b5c4b6a9b5a5a3acd0bbd0bba1a3",
      "hex",
    ),
    "我要申请退款，谢谢您的帮助。请尽快处理我的订单，谢谢。",
  ],
  [
    "big5",
    Buffer.from(
      "a7daad6ea5d3bdd0b068b4daa141c1c2c1c2b17aaabac0b0a755a143bdd0bac9a7d6b342b27aa7daaabaad71b3e6a141c1c2c1c2a143",
      "hex",
    ),
    "我要申請退款，謝謝您的幫助。請盡快處理我的訂單，謝謝。",
  ],
  [
    "windows-1251",
    Buffer.from(
      "cae0f0f2e020e7e0e1ebeeeae8f0eee2e0ede02c20efeee6e0ebf3e9f1f2e02c20eee1f0e0f2e8f2e5f1fc20e220f1ebf3e6e1f320efeee4e4e5f0e6eae82e",
      "hex",
    ),
    "Карта заблокирована, пожалуйста, обратитесь в службу поддержки.",
  ],
  [
    "koi8-r",
    Buffer.from(
      "ebc1d2d4c120dac1c2cccfcbc9d2cfd7c1cec12c20d0cfd6c1ccd5cad3d4c12c20cfc2d2c1d4c9d4c5d3d820d720d3ccd5d6c2d520d0cfc4c4c5d2d6cbc92e",
      "hex",
    ),
    "Карта заблокирована, пожалуйста, обратитесь в службу поддержки.",
  ],
  [
    "euc-kr",
    Buffer.from(
      "c4abb5e5b8a620bad0bdc7c7dfbdc0b4cfb4d92e20b0edb0b420bcbec5cdbfa120bfacb6f4c7d820c1d6bdcabdc3bfc02e20c8afbad2c0ba20bbef20c0cfc0cc20b0c9b8b3b4cfb4d92e",
      "hex",
    ),
    "카드를 분실했습니다. 고객 센터에 연락해 주십시오. 환불은 삼 일이 걸립니다.",
  ],
  [
    "iso-8859-2",
    Buffer.from(
      "4f70b3617479207a612070727a656c6577792073b120706f62696572616e6520636f206d69657369b1632c2070726f737aea207370726177647a69e620737a637a6567f3b379207720756d6f7769652e",
      "hex",
    ),
    "Opłaty za przelewy są pobierane co miesiąc, proszę sprawdzić szczegóły w umowie.",
  ],
  [
    "windows-1254",
    Buffer.from(
      "dd6164652069fe6c656d6c6572692069e7696e206cfc7466656e206dfcfe746572692068697a6d65746c6572696e65206261fe767572756e757a2c20fc6372657420616cfd6e6d617a2e",
      "hex",
    ),
    "İade işlemleri için lütfen müşteri hizmetlerine başvurunuz, ücret alınmaz.",
  ],
];

test.each<[string, Buffer, string]>([
  ["utf-8", Buffer.from(german), german],
  ["utf-16le", Buffer.from(`\ufeff${german}`, "utf16le"), german],
  ["utf-16le", Buffer.from(german, "utf16le"), german],
  ["utf-16be", Buffer.from(german, "utf16le").swap16(), german],
  ...encoded,
])("a text in %s", (encoding, bytes, expected) => {
  expect(detectText(bytes, budget())).toEqual({ text: expected, encoding });
});

test("a file that is no text is refused", () => {
  for (const hex of ["89504e470d0a1a0a0000000d49484452", "00ff00ff00ff80", "81020304ff"])
    expect(() => detectText(Buffer.from(hex, "hex"), budget())).toThrow("save it as UTF-8");
});
