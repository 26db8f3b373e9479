import { defaultReplacement, type Rule } from "./rules.ts";

/** An empty field means the API's default. The placeholder tells it from a replacement that is empty. */
export const replacementProps = (
  { name, replacement }: Rule,
  field: { readonly onChange: (value: unknown) => void },
) => ({
  ...field,
  value: replacement ?? "",
  placeholder: replacement === "" ? "Nothing" : defaultReplacement(name === "" ? "name" : name),
  onChange: (text: string) => field.onChange(text === "" ? null : text),
});
