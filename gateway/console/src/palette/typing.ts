// What somebody types before the palette's box is there: its code may have to be loaded, and dialogs take focus late.

export const boxId = "palette-box";

export interface Typing {
  readonly text: string;
  /** Whether Enter was pressed for this text, and has not opened anything yet. */
  readonly isEntered: boolean;
}

export const nothingTyped: Typing = { text: "", isEntered: false };

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "isComposing">;

/** Undefined for a key that writes nothing. */
export function typedAhead({ text }: Typing, { key, ctrlKey, metaKey, altKey, isComposing }: Key): Typing | undefined {
  if (ctrlKey || metaKey || altKey || isComposing) return undefined;
  if (key === "Enter") return { text, isEntered: text.trim() !== "" };
  if (key === "Backspace") return { text: [...text].slice(0, -1).join(""), isEntered: false };
  return [...key].length === 1 ? { text: text + key, isEntered: false } : undefined;
}
