import { missing } from "../ui/format.ts";
import { useUsers } from "./user-choices.ts";

/** Shows the name of the user with the id, or the id itself if the user is unknown. */
export function Person({ id }: { readonly id: string | null | undefined }) {
  const people = useUsers("", id == null ? [] : [id]).choices;
  if (id == null) return <>{missing}</>;
  return <>{people.find(({ value }) => value === id)?.label ?? id}</>;
}
