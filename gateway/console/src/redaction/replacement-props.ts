import { defaultReplacement, type Rule } from "./rules.ts";

/** Returns the field's props. An empty field means the API's default; an empty replacement shows "Nothing" instead. */
export const replacementProps = (
  { name, replacement }: Rule,
  field: { readonly onChange: (value: unknown) => void },
) => ({
  ...field,
  value: replacement ?? "",
  placeholder: replacement === "" ? "Nothing" : defaultReplacement(name === "" ? "name" : name),
  onChange: (text: string) => field.onChange(text === "" ? null : text),
});
