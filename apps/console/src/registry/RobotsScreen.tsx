import { useQuery } from '@tanstack/react-query'
import { createRobot, deleteRobot, getRegistry, listRobots } from '@masthead/contract/registry/operations'
import type { Robot, RobotOnce } from '@masthead/contract/registry/robot'
import { Bot, Ellipsis, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { q } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { Breadcrumbs } from '../kit/Breadcrumbs.tsx'
import { useClock } from '../kit/clock.ts'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { FormCheckbox, FormText } from '../kit/FormField.tsx'
import { FormLines } from '../kit/FormLines.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { SecretModal } from '../kit/SecretModal.tsx'
import { Banner } from '../ui/Banner.tsx'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Select } from '../ui/Select.tsx'
import { Table, TableFrame, TwoLines, type Column } from '../ui/Table.tsx'
import { registryHost } from './registry-words.ts'

const way = [{ label: 'Registry', to: '/registry' }]

const columns: Column<Robot>[] = [
  {
    id: 'name',
    header: 'Robot',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ name, prefix }) => (
      <TwoLines first={<span className="font-medium">{name}</span>} second={<span className="mono">{prefix}…</span>} />
    ),
  },
  { id: 'may', header: 'May', width: 130, list: 'aside', cell: ({ can_push }) => (can_push ? 'pull and push' : 'pull') },
  {
    id: 'where',
    header: 'Repositories',
    width: 200,
    list: 'below',
    listHead: true,
    drop: 2,
    cell: ({ repositories }) => {
      const all = repositories.length > 0 ? repositories.join(', ') : 'All'
      return (
        <span className="truncate" title={all}>
          {all}
        </span>
      )
    },
  },
  {
    id: 'expires',
    header: 'Expires',
    width: 180,
    list: 'below',
    listHead: true,
    drop: 2,
    shape: 'two',
    cell: ({ expires_at, api_key }) => (
      <TwoLines
        first={api_key?.ended ? 'Ended' : expires_at ? <Expiry at={expires_at} /> : 'Never'}
        second={api_key && (api_key.name ? `with the API key ${api_key.name}` : 'with its API key')}
      />
    ),
  },
  {
    id: 'used',
    header: 'Last used',
    width: 130,
    list: 'below',
    listHead: true,
    drop: 3,
    cell: ({ last_used_at }) => <RelativeTime at={last_used_at} />,
  },
]

function Expiry({ at }: { at: string }) {
  const isOver = useClock((now) => Date.parse(at) <= now)
  return (
    <>
      {isOver && 'Expired '}
      <RelativeTime at={at} />
    </>
  )
}

type Doing = { what: 'create' } | { what: 'made'; robot: RobotOnce } | { what: 'delete'; robot: Robot }

/** Programs that reach the registry and nothing else. */
export default function RobotsScreen() {
  const { data, error, refetch } = useQuery(q(listRobots, {}))
  const { data: registry } = useQuery(q(getRegistry, {}))
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const close = () => setDoing(null)
  const first = { icon: Plus, operation: createRobot, onClick: () => setDoing({ what: 'create' }) } as const
  return (
    <>
      <Banner
        title="Robots"
        subtitle="A robot is a user name and a secret for a build or a device: it pulls images, or pushes them too, and can do nothing else."
        crumbs={<Breadcrumbs way={way} here="Robots" named />}
        end={
          <ActionButton {...first} color="primary-solid">
            Create robot
          </ActionButton>
        }
      />
      {error && !data ? (
        <ErrorState title="The robots could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : data?.items.length === 0 ? (
        <div className="rounded-lg border border-line">
          <EmptyState icon={Bot} title="No data found" actions={<ActionButton {...first}>Create your first robot</ActionButton>}>
            Give each build and each kind of device a robot of its own: one can then be ended without the others.
          </EmptyState>
        </div>
      ) : (
        <TableFrame>
          <Table
            label="Robots"
            columns={columns}
            rows={data?.items}
            rowId={({ id }) => id}
            skeletonRows={4}
            more={(robot) => (
              <Menu
                label={`Actions for ${robot.name}`}
                align="end"
                trigger={<IconButton label={`Actions for ${robot.name}`} icon={Ellipsis} size="small" />}
                items={[
                  {
                    label: 'Delete',
                    icon: Trash2,
                    danger: true,
                    onSelect: () => setDoing({ what: 'delete', robot }),
                    disabled: denied(deleteRobot),
                  },
                ]}
              />
            )}
          />
        </TableFrame>
      )}
      {doing?.what === 'create' && (
        <FormModal
          open
          onClose={close}
          title="Create robot"
          operation={createRobot}
          values={{ name: '', can_push: false, repositories: [], expires_in_days: 90 }}
          submit="Create robot"
          onDone={(robot) => setDoing({ what: 'made', robot })}
        >
          <FormText name="name" label="Name" hint="What it is for: “ci-push”" />
          <FormCheckbox name="can_push">It may push and delete images, too</FormCheckbox>
          <FormLines
            name="repositories"
            label="Repositories"
            placeholder={'gps-tracker\nsensors/*'}
            hint="One a line, without the name of the account. Leave it empty for all."
          />
          <Controller
            name="expires_in_days"
            render={({ field }) => (
              <Select
                label="Expires"
                options={ends}
                value={String(field.value ?? 'never') as (typeof ends)[number]['value']}
                onChange={(value) => field.onChange(value === 'never' ? null : Number(value))}
              />
            )}
          />
        </FormModal>
      )}
      {doing?.what === 'made' && (
        <SecretModal what="secret" name={doing.robot.name} secret={doing.robot.secret} onClose={close}>
          It is the password of{' '}
          <span className="mono">
            docker login {registryHost()} -u {registry?.slug ?? registry?.suggested}
          </span>
          , and is shown only once.
        </SecretModal>
      )}
      {doing?.what === 'delete' && (
        <ConfirmCall
          onClose={close}
          operation={deleteRobot}
          input={{ params: { robot_id: doing.robot.id } }}
          title={`Delete the robot ${doing.robot.name}?`}
          confirm="Delete robot"
          color="danger"
          done="Deleted the robot"
        >
          Whatever signs in with its secret is refused from now on. What it pushed stays.
        </ConfirmCall>
      )}
    </>
  )
}

const ends = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'never', label: 'Never' },
] as const
