import { missing } from "../ui/format.ts";
import { useUserChoices } from "./user-choices.ts";

/** The name of somebody whom the API names by an id; the id where nobody is known by it. */
export function Person({ id }: { readonly id: string | null | undefined }) {
  const people = useUserChoices();
  if (id == null) return <>{missing}</>;
  return <>{people.find(({ value }) => value === id)?.label ?? id}</>;
}
