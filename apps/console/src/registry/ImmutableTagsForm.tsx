import { setImmutableTags } from '@masthead/contract/registry/removal-operations'
import { FormLines } from '../kit/FormLines.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { toast } from '../ui/toast.ts'

/** Says by patterns which tags are immutable. */
export const ImmutableTagsForm = ({ patterns, onClose }: { patterns: readonly string[]; onClose: () => void }) => (
  <FormModal
    open
    onClose={onClose}
    title="Immutable tags"
    operation={setImmutableTags}
    values={{ patterns: [...patterns] }}
    submit="Save rules"
    onDone={({ immutable }) =>
      toast.success(immutable.length > 0 ? 'Tags of these patterns are immutable' : 'No pattern makes tags immutable')
    }
  >
    <FormLines
      name="patterns"
      label="Patterns"
      placeholder={'v*\napp/api:release-*'}
      hint="One a line; * is any characters. Once a tag that fits one is there, nobody can move or delete it, also not by a push"
    />
  </FormModal>
)
