import { addFeed, rotateFeedKey, updateFeed, type Feed } from '@masthead/contract/backoffice/feed-operations'
import { useOperation } from '../api/query.ts'
import { FormNumber, FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { SecretModal } from '../kit/SecretModal.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { toast } from '../ui/toast.ts'

export type FeedDialog =
  | { show: 'add' }
  | { show: 'change' | 'switch' | 'rotate'; feed: Feed }
  | { show: 'key'; name: string; secret: string }

type Made = { feed: Feed; key: string }
type Props = { dialog: FeedDialog; directory: string | null; onChange: (dialog: FeedDialog | null) => void }

/** Everything that is done to a feed. */
export function FeedDialogs({ dialog, directory, onChange }: Props) {
  const onClose = () => onChange(null)
  const onMade = ({ feed, key }: Made) => queueMicrotask(() => onChange({ show: 'key', name: feed.name, secret: key }))
  switch (dialog.show) {
    case 'key':
      return <Key {...dialog} onClose={onClose} />
    case 'add':
      return (
        <FormModal
          open
          onClose={onClose}
          title="Add a feed"
          operation={addFeed}
          values={{ name: '', folder: null, silent_after_minutes: null }}
          submit="Add feed"
          onDone={onMade}
        >
          <Fields directory={directory} />
        </FormModal>
      )
    case 'change':
      return <Changing feed={dialog.feed} directory={directory} onClose={onClose} />
    case 'switch':
      return <Switching feed={dialog.feed} onClose={onClose} />
    case 'rotate':
      return <Rotating feed={dialog.feed} onClose={onClose} onMade={onMade} />
  }
}

const Fields = ({ directory }: { directory: string | null }) => (
  <>
    <FormText name="name" label="Name" />
    <FormText
      name="folder"
      label="Folder"
      mono
      emptyIsNull
      hint={
        directory
          ? `CSV files in this folder of ${directory} are read. Leave it empty for none.`
          : 'MASTHEAD_CDR_DIR is not set, so no folder is watched. Leave it empty.'
      }
    />
    <FormNumber
      name="silent_after_minutes"
      label="Alert after minutes of silence"
      decimals={0}
      hint="Leave it empty for no alert. A silent feed blocks nobody."
    />
  </>
)

type Of = { feed: Feed; onClose: () => void }

const Changing = ({ feed, directory, onClose }: Of & { directory: string | null }) => (
  <FormModal
    open
    onClose={onClose}
    title={`Change ${feed.name}`}
    operation={updateFeed}
    values={{ name: feed.name, folder: feed.folder, silent_after_minutes: feed.silent_after_minutes }}
    input={(body) => ({ params: { feed_id: feed.id }, body })}
    submit="Save"
    onDone={() => toast.success('The feed is saved')}
  >
    <Fields directory={directory} />
  </FormModal>
)

function Switching({ feed, onClose }: Of) {
  const mutation = useOperation(updateFeed)
  const on = feed.state === 'disabled'
  return (
    <Confirm
      open
      onClose={onClose}
      title={on ? `Switch ${feed.name} on?` : `Switch ${feed.name} off?`}
      confirm={on ? 'Switch on' : 'Switch off'}
      color={on ? 'success' : 'danger'}
      loading={mutation.isPending}
      failure={mutation.error}
      onConfirm={async () => {
        await mutation.mutateAsync({ params: { feed_id: feed.id }, body: { disabled: !on } })
        onClose()
      }}
    >
      {on
        ? 'What it reports is taken again.'
        : 'What it sends is refused and its folder is not read until it is switched on again. What it reported stays counted.'}
    </Confirm>
  )
}

function Rotating({ feed, onClose, onMade }: Of & { onMade: (made: Made) => void }) {
  const mutation = useOperation(rotateFeedKey)
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Give ${feed.name} a new key?`}
      confirm="New key"
      color="danger"
      loading={mutation.isPending}
      failure={mutation.error}
      onConfirm={async () => {
        onMade(await mutation.mutateAsync({ params: { feed_id: feed.id } }))
      }}
    >
      Calls with the key that it has now are refused at once.
    </Confirm>
  )
}

const Key = ({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) => (
  <SecretModal what="key" name={name} secret={secret} onClose={onClose}>
    Its program sends it in the header X-Feed-Key. It is not shown again.
  </SecretModal>
)
