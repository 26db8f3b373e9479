import type { DefinitionDraft } from "./definition-draft.ts";

/** What fields of a definition have in common. */
export interface FieldsProps {
  readonly draft: DefinitionDraft;
  readonly issues: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<DefinitionDraft>) => void;
}
