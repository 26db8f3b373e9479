// Shows a trace's end user, with links to the user's other traces and to erasing the user's data.

import { Text } from "@mantine/core";
import { userMax } from "../erasures/erasure-requests.ts";
import { useRefusal } from "../session/permissions.ts";
import { AnchorLink } from "../ui/link.tsx";

export function EndUser({ user }: { readonly user: string }) {
  const mayErase = useRefusal("POST /v0/erasures") === undefined;
  if (user.length > userMax)
    return (
      <Text inherit lineClamp={3} title={user}>
        {user}
      </Text>
    );
  return (
    <>
      <AnchorLink to="/traces" search={{ user }} inherit lineClamp={3} title="All traces of this user">
        {user}
      </AnchorLink>
      {mayErase && (
        <AnchorLink to="/settings/erasures/new" search={{ user }} size="xs">
          Erase this user…
        </AnchorLink>
      )}
    </>
  );
}
