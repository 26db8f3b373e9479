import { judgedStyleBytesMax } from "@ems/proto/limits";

const truncationNote = "\n[The rest of the style guide is too long to be judged by.]";

interface Section {
  readonly heading: string;
  readonly content: string;
}

/** Returns a style guide's sections as judges read them: in order, truncated at the limit. */
export function judgedSections(sections: readonly Section[]): Section[] {
  const judged: Section[] = [];
  let left = judgedStyleBytesMax;
  for (const { heading, content } of sections) {
    const bytes = Buffer.byteLength(heading) + Buffer.byteLength(content);
    if (bytes > left)
      return [
        ...judged,
        { heading: truncated(heading, left / 2), content: truncated(content, left / 2) + truncationNote },
      ];
    judged.push({ heading, content });
    left -= bytes;
  }
  return judged;
}

/** Truncates to `bytesMax` bytes without splitting a character. */
function truncated(text: string, bytesMax: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.floor(bytesMax)));
  return text.slice(0, read);
}
