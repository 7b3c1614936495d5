import { createView, deleteView, updateView, type AssetView } from '@masthead/contract/assets/views/view-operations'
import { updateAsset } from '@masthead/contract/assets/operations'
import { severities } from '@masthead/contract/notifications/alert'
import { createRule, enableRule } from '@masthead/contract/notifications/rule-operations'
import { useWatch } from 'react-hook-form'
import { useOperation } from '../../api/query.ts'
import { useDenied } from '../../kit/ActionButton.tsx'
import { ConfirmCall } from '../../kit/ConfirmCall.tsx'
import { FormCheckbox, FormNumber, FormText } from '../../kit/FormField.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { plain, toast } from '../../ui/toast.ts'
import type { Kept } from './view-address.ts'

export type Doing = { what: 'save'; kept: Kept } | { what: 'rename' | 'share' | 'unshare' | 'watch' | 'delete'; view: AssetView }

/** The dialog of what is done with a view. `onOpen`: a view that is to be shown now; null: none any more. */
export function ViewDialog({ doing, onClose, onOpen }: { doing: Doing; onClose: () => void; onOpen: (view: AssetView | null) => void }) {
  if (doing.what === 'save') return <SaveView kept={doing.kept} onClose={onClose} onOpen={onOpen} />
  const { what, view } = doing
  const params = { view_id: view.id }
  switch (what) {
    case 'rename':
      return (
        <FormModal
          open
          onClose={onClose}
          title="Rename view"
          operation={updateView}
          values={{ name: view.name }}
          input={(body) => ({ params, body })}
          submit="Rename"
          onDone={({ name }) => toast.success(`Renamed to ${plain(name)}`)}
        >
          <FormText name="name" label="Name" />
        </FormModal>
      )
    case 'share':
    case 'unshare':
      return (
        <ConfirmCall
          operation={updateView}
          input={{ params, body: { shared: what === 'share' } }}
          onClose={onClose}
          title={what === 'share' ? `Share ${view.name} with the team?` : `Take ${view.name} back from the team?`}
          confirm={what === 'share' ? 'Share' : 'Take back'}
          done={what === 'share' ? `Shared ${plain(view.name)}` : `${plain(view.name)} is its maker’s alone`}
        >
          {what === 'share'
            ? 'Everybody who sees assets gets it, and finds in it the assets that they see. Whoever may edit assets may change it.'
            : `Only ${view.made_by}, who made it, has it then.`}
        </ConfirmCall>
      )
    case 'watch':
      return <WatchView view={view} onClose={onClose} />
    case 'delete':
      return (
        <ConfirmCall
          operation={deleteView}
          input={{ params }}
          onClose={onClose}
          title={`Delete ${view.name}?`}
          confirm="Delete view"
          color="danger"
          done={`Deleted ${plain(view.name)}`}
          onDone={() => onOpen(null)}
        >
          {view.shared ? 'The team has it no more. ' : ''}
          {view.watch ? 'The rule that watches it goes with it. ' : ''}Assets stay as they are.
        </ConfirmCall>
      )
  }
}

function SaveView({ kept, onClose, onOpen }: { kept: Kept; onClose: () => void; onOpen: (view: AssetView) => void }) {
  const denied = useDenied()(updateAsset)
  return (
    <FormModal
      open
      onClose={onClose}
      title="Save view"
      operation={createView}
      values={{ name: '', ...kept, shared: false }}
      submit="Save view"
      onDone={(view) => {
        toast.success(`Saved ${plain(view.name)}`)
        onOpen(view)
      }}
    >
      <FormText name="name" label="Name" hint="What it is about: “Poland, silent”" />
      {denied === null ? (
        <FormCheckbox name="shared">Share it with the team</FormCheckbox>
      ) : (
        <p className="text-fg-3">It is yours alone. Views of the team are made by whoever may edit assets.</p>
      )}
      <dl className="grid gap-1">
        <dt className="text-fg-3">Lists</dt>
        <dd className="font-mono text-xs wrap-anywhere">{kept.q || 'All assets'}</dd>
      </dl>
    </FormModal>
  )
}

/** Makes the rule that watches a view, and switches it on. */
function WatchView({ view, onClose }: { view: AssetView; onClose: () => void }) {
  const enable = useOperation(enableRule)
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Watch ${view.name}`}
      operation={createRule}
      values={{
        name: `${view.name} is not empty`.slice(0, 120),
        metric: 'view_count',
        view_id: view.id,
        threshold: 1,
        severity: 'warn',
        cooldown_days: 1,
      }}
      submit="Watch"
      onDone={({ id, name }) =>
        enable.mutateAsync({ params: { rule_id: id } }).then(
          () => toast.success(`${plain(name)}: it is checked each minute`, { title: 'Watched' }),
          () => toast.error('The rule is there, but could not be switched on. Switch it on under Notifications, Rules.')
        )
      }
    >
      <FormText name="name" label="Name of the rule" />
      <FormNumber name="threshold" label="Notify when there are at least so many assets" min={1} />
      <FormSelect
        name="severity"
        label="Severity"
        options={Object.entries(severities).map(([value, label]) => ({ value, label }))}
        hint="Critical alerts mark the bell."
      />
      <FormNumber name="cooldown_days" label="Days until it notifies again" min={1} max={30} />
      <Again />
    </FormModal>
  )
}

function Again() {
  const days = useWatch({ name: 'cooldown_days' }) as number | null
  return (
    <Notice tone="info">
      The team is notified as each of them chose
      {days ? `, and again after ${days === 1 ? 'a day' : `${days} days`} while it is not empty` : ''}.
    </Notice>
  )
}
