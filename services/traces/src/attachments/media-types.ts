// Recognizes the media type of binary content by its first bytes.

const signatures: readonly (readonly [mediaType: string, offset: number, bytes: string])[] = [
  ["image/png", 0, "89504e470d0a1a0a"],
  ["image/jpeg", 0, "ffd8ff"],
  ["image/gif", 0, "474946383961"],
  ["image/gif", 0, "474946383761"],
  ["image/webp", 8, "57454250"],
  ["audio/wav", 8, "57415645"],
  ["application/pdf", 0, "255044462d"],
  ["audio/ogg", 0, "4f67675300"],
  ["audio/mpeg", 0, "49443303"],
  ["video/mp4", 4, "66747970"],
  ["application/zip", 0, "504b0304"],
];

export function sniffMediaType(content: Buffer): string | undefined {
  const start = content.subarray(0, 16).toString("hex");
  return signatures.find(([, offset, bytes]) => start.startsWith(bytes, offset * 2))?.[0];
}

/** Types of images that browsers show and that contain no scripts. */
const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Returns the type to answer with. Types that a browser could execute are sent as bytes. */
export function safeMediaType(content: Buffer, mediaType: string): string {
  return images.has(mediaType) && sniffMediaType(content) === mediaType ? mediaType : "application/octet-stream";
}
