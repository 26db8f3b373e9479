import { Page } from "../ui/page.tsx";
import { DefinitionEditor } from "./definition-editor.tsx";
import { definitionsParent } from "./definitions-parent.ts";

export default function NewDefinitionPage() {
  return (
    <Page title="New evaluator" parent={definitionsParent} requests={[]}>
      <DefinitionEditor />
    </Page>
  );
}
