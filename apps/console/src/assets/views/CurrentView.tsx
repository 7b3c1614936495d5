import { updateAsset } from '@masthead/contract/assets/operations'
import { updateView, type AssetView } from '@masthead/contract/assets/views/view-operations'
import { createRule } from '@masthead/contract/notifications/rule-operations'
import { ChevronDown, Eye, EyeOff, Link2, Pencil, Save, Share2, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import { useOperation } from '../../api/query.ts'
import { useDenied } from '../../kit/ActionButton.tsx'
import { useLeftToOthers } from '../../notifications/index.ts'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { plain, toast } from '../../ui/toast.ts'
import { isAsKept, type Kept } from './view-address.ts'
import type { Doing } from './ViewDialogs.tsx'

type CurrentProps = { view: AssetView; kept: Kept; refused: string | null; onDo: (doing: Doing) => void }

/** What is known of the view in the address, and what can be done with it. */
export function CurrentView({ view, kept, refused, onDo }: CurrentProps) {
  const [denied, leftToOthers] = [useDenied(), useLeftToOthers()]
  const update = useOperation(updateView)
  const changed = !isAsKept(view, kept)
  const mayChange = view.shared ? denied(updateAsset) : null
  const items: MenuItem[] = [
    {
      label: 'Save changes',
      icon: Save,
      disabled: mayChange ?? (changed ? refused : 'The list is as the view has it'),
      onSelect: () =>
        update.mutate(
          { params: { view_id: view.id }, body: kept },
          {
            onSuccess: () => toast.success(`Saved ${plain(view.name)}`),
            onError: (failure) => toast.failure(failure, { title: 'Not saved' }),
          }
        ),
    },
    { label: 'Copy link', icon: Link2, onSelect: () => void copyText(location.href) },
    { label: 'Rename', icon: Pencil, disabled: mayChange, onSelect: () => onDo({ what: 'rename', view }) },
    view.shared
      ? { label: 'Take back from the team', icon: EyeOff, disabled: mayChange, onSelect: () => onDo({ what: 'unshare', view }) }
      : { label: 'Share with the team', icon: Share2, disabled: denied(updateAsset), onSelect: () => onDo({ what: 'share', view }) },
    {
      label: 'Watch',
      icon: Eye,
      disabled:
        denied(createRule) ??
        leftToOthers ??
        (view.watch ? 'A rule watches it already' : view.shared ? null : 'Share it first: the team is notified'),
      onSelect: () => onDo({ what: 'watch', view }),
    },
    { separator: true },
    { label: 'Delete', icon: Trash2, danger: true, disabled: mayChange, onSelect: () => onDo({ what: 'delete', view }) },
  ]
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-fg-3">
      <span className="min-w-0 wrap-anywhere">
        {view.shared ? `Shared with the team by ${view.mine ? 'you' : view.made_by}.` : 'Yours alone.'}
        {view.watch && (
          <>
            {' '}
            <Link to={`/notifications?tab=rules&rule=${view.watch.rule_id}`} className="underline underline-offset-3 hover:text-fg">
              A rule
            </Link>{' '}
            {view.watch.enabled ? 'notifies the team when it is not empty' : 'would watch it, but is switched off'}
            {view.watch.last_fired_at && (
              <>
                , last <RelativeTime at={view.watch.last_fired_at} />
              </>
            )}
            .
          </>
        )}
        {changed && ' Changed since it was saved.'}
      </span>
      <Menu
        trigger={
          <Button color="ghost" size="small">
            View
            <Icon of={ChevronDown} size={14} className="text-fg-3" />
          </Button>
        }
        label="View"
        items={items}
      />
    </div>
  )
}
