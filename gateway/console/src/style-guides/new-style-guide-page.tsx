import { Page } from "../ui/page.tsx";
import { StyleGuideForm } from "./style-guide-form.tsx";
import { styleGuidesParent } from "./style-guides-parent.ts";

export default function NewStyleGuidePage() {
  return (
    <Page title="New style guide" parent={styleGuidesParent} requests={[]}>
      <StyleGuideForm />
    </Page>
  );
}
