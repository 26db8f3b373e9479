import { missing } from "../ui/format.ts";
import { useUserChoices } from "./user-choices.ts";

/** Name of a user id; the id itself if the user is unknown. */
export function Person({ id }: { readonly id: string | null | undefined }) {
  const people = useUserChoices();
  if (id == null) return <>{missing}</>;
  return <>{people.find(({ value }) => value === id)?.label ?? id}</>;
}
