import { defaultReplacement, type Rule } from "./rules.ts";

/** An empty field means the API's default. An empty replacement has the placeholder "Nothing". */
export const replacementProps = (
  { name, replacement }: Rule,
  field: { readonly onChange: (value: unknown) => void },
) => ({
  ...field,
  value: replacement ?? "",
  placeholder: replacement === "" ? "Nothing" : defaultReplacement(name === "" ? "name" : name),
  onChange: (text: string) => field.onChange(text === "" ? null : text),
});
