import { useQuery } from '@tanstack/react-query'
import type { AttachedSims, GroupFields, NetworkGroup } from '@masthead/contract/network-groups/network-group'
import { createNetworkGroup, deleteNetworkGroup, getNetworkGroup, updateNetworkGroup } from '@masthead/contract/network-groups/operations'
import { Copy, Trash2 } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { q } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { UnsavedQuestion } from '../kit/LeaveQuestion.tsx'
import { NotThere } from '../kit/NotThere.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Banner } from '../ui/Banner.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { DeleteGroup } from './DeleteGroup.tsx'
import { fieldsOf, type Draft } from './draft.ts'
import { GroupPlaces } from './GroupPlaces.tsx'
import { DataPanel, NetworkPanel } from './GroupSettings.tsx'
import { SaveBar } from './SaveBar.tsx'

const way = [{ label: 'Network groups', to: '/network-groups' }]
type Opened = NetworkGroup & { attached: readonly AttachedSims[]; sims_attached: number }

/** One group: what its SIMs may use. `new` makes one, from another where the address names that. */
export default function NetworkGroupScreen() {
  const { groupID = '' } = useParams()
  const [params] = useSearchParams()
  const isNew = groupID === 'new'
  const from = isNew ? params.get('from') : groupID
  const { data, error, refetch } = useQuery({
    ...q(getNetworkGroup, { params: { network_group_id: from ?? '' } }),
    enabled: from !== null,
    placeholderData: undefined,
  })
  if (isNew && from === null) return <Editor key="new" group={null} from={null} />
  if (error && !data) return <NoGroup id={groupID} failure={error} onRetry={() => void refetch()} />
  if (!data) return <Loading id={groupID} />
  return isNew ? <Editor key={`from ${data.id}`} group={null} from={data} /> : <Editor key={data.id} group={data} from={data} />
}

function Editor({ group, from }: { group: Opened | null; from: Opened | null }) {
  const [draft, setDraft] = useState<Draft>({})
  const [deleting, setDeleting] = useState(false)
  const denied = useDenied()(group ? updateNetworkGroup : createNetworkGroup)
  const navigate = useNavigate()
  const saved = useMemo(() => ({ ...fieldsOf(from), ...(!group && from && { name: `${from.name} copy` }) }), [group, from])
  const now = { ...saved, ...draft }
  const set = (change: Draft) => setDraft((before) => ({ ...before, ...change }))
  const leaving = useRef(false)
  const leave = (to: string) => {
    leaving.current = true
    void navigate(to, { replace: true })
  }
  const dirty = Object.keys(draft).length > 0 && changesOf(group ? fieldsOf(group) : null, now) !== null
  const lockedWords =
    (denied && (group ? `You may look at this group, but not change it. ${denied}` : denied)) ??
    (group?.kind === 'built_in' ? 'Built-in groups are the same on every account: duplicate one to change it' : null)
  const locked = lockedWords !== null
  return (
    <>
      <Banner
        title={group?.name ?? 'New network group'}
        crumbs={<Breadcrumbs way={way} here={group?.name ?? 'New'} named />}
        {...(group && { meta: <GroupMeta group={group} /> })}
        end={
          group && (
            <>
              <LinkButton
                as={Link}
                to={`/network-groups/new?from=${encodeURIComponent(group.id)}`}
                icon={Copy}
                color="ghost"
                disabled={denied}
              >
                Duplicate
              </LinkButton>
              <ActionButton
                operation={deleteNetworkGroup}
                icon={Trash2}
                color="danger-quiet"
                disabled={group.kind === 'own' ? null : 'The default and the built-in groups cannot be deleted'}
                onClick={() => setDeleting(true)}
              >
                Delete
              </ActionButton>
            </>
          )
        }
      />
      {lockedWords && (
        <div className="mb-4">
          <Notice tone="info">{lockedWords}.</Notice>
        </div>
      )}
      <div
        role="group"
        aria-label="What SIMs of the group may use"
        className="grid min-w-0 items-start gap-5 pb-24 @lg:grid-cols-[minmax(0,1fr)_316px]"
      >
        <GroupPlaces saved={saved} now={now} attached={group?.attached ?? []} locked={lockedWords} onChange={set} />
        <div className="grid min-w-0 gap-5 @max-lg:-order-1">
          {group?.kind !== 'default' && (
            <Panel title="Name">
              <TextField
                label="Name"
                hideLabel
                value={now.name ?? ''}
                placeholder="Reefers EU"
                autoComplete="off"
                disabled={locked}
                onChange={({ target }) => set({ name: target.value })}
              />
            </Panel>
          )}
          <DataPanel group={group} now={now} locked={locked} onChange={set} />
          <NetworkPanel now={now} locked={locked} onChange={set} />
        </div>
      </div>
      {!locked && <UnsavedQuestion dirty={dirty} leaving={leaving} what="You have changed this network group." />}
      {!locked && (
        <SaveBar
          group={group}
          changes={changesOf(group ? fieldsOf(group) : null, now)}
          onDiscard={() => (group ? setDraft({}) : leave('/network-groups'))}
          onSaved={(id) => {
            setDraft({})
            if (!group) leave(`/network-groups/${id}`)
          }}
        />
      )}
      {deleting && group && <DeleteGroup group={group} onClose={() => setDeleting(false)} onDone={() => leave('/network-groups')} />}
    </>
  )
}

/** What is to be saved: of a new group everything, of one that is there what differs. */
function changesOf(before: GroupFields | null, now: GroupFields): GroupFields | null {
  if (before === null) return now
  const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof GroupFields]))
  return changed.length === 0 ? null : (Object.fromEntries(changed) as GroupFields)
}

const GroupMeta = ({ group }: { group: Opened }) => (
  <>
    <span>
      <Link className="link" to={`/assets?network_group=${encodeURIComponent(group.id)}`}>
        {group.sims === 1 ? '1 SIM' : `${group.sims.toLocaleString('en')} SIMs`}
      </Link>
      , {group.sims_attached.toLocaleString('en')} attached now
    </span>
    {group.updated_by && (
      <span className="text-fg-3">
        changed <RelativeTime at={group.updated_at} /> by {group.updated_by}
      </span>
    )}
  </>
)

const Loading = ({ id }: { id: string }) => (
  <>
    <Banner title="Network group" crumbs={<Breadcrumbs way={way} here={id} />} />
    <div className="grid gap-5 @lg:grid-cols-[minmax(0,1fr)_316px]" role="group" aria-busy aria-label="Loading the group">
      <Panel>
        <SkeletonLines lines={14} />
      </Panel>
      <Panel>
        <SkeletonLines lines={8} />
      </Panel>
    </div>
  </>
)

type Missing = { id: string; failure: { status: number; detail: string; request_id?: string }; onRetry: () => void }
const NoGroup = ({ id, failure, onRetry }: Missing) => (
  <>
    <Banner title={failure.status === 404 ? 'Network group not found' : 'Network group'} crumbs={<Breadcrumbs way={way} here={id} />} />
    {failure.status === 404 ? (
      <NotThere title="Network group not found" to="/network-groups" way="All network groups">
        No network group of this account has the id <span className="mono wrap-anywhere">{id}</span>. It may have been deleted: its SIMs are
        in Default.
      </NotThere>
    ) : (
      <ErrorState title="The network group could not be loaded" failure={failure} onRetry={onRetry} />
    )}
  </>
)
