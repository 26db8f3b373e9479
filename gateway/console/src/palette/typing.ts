// Text from keys typed before the palette's search box has focus: its code may still load, and dialogs set focus late.

export const boxId = "palette-box";

export interface Typing {
  readonly text: string;
  /** True if Enter was pressed after this text and no result has been opened yet. */
  readonly isEntered: boolean;
}

export const nothingTyped: Typing = { text: "", isEntered: false };

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "isComposing">;

/** Returns the text after a key press; undefined if the key does not change the text. */
export function typedAhead({ text }: Typing, { key, ctrlKey, metaKey, altKey, isComposing }: Key): Typing | undefined {
  if (ctrlKey || metaKey || altKey || isComposing) return undefined;
  if (key === "Enter") return { text, isEntered: text.trim() !== "" };
  if (key === "Backspace") return { text: [...text].slice(0, -1).join(""), isEntered: false };
  return [...key].length === 1 ? { text: text + key, isEntered: false } : undefined;
}
