import { supportEnds, type SupportAccess } from '@masthead/contract/terminal/support'
import { lastedWords } from '../../kit/lasted-words.ts'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'

export const supportColumns: Column<SupportAccess>[] = [
  {
    id: 'who',
    header: 'Who, why',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ staff, reason }) => (
      <TwoLines
        first={<span className="truncate font-medium">{staff}</span>}
        second={
          <span className="truncate" title={reason}>
            {reason}
          </span>
        }
      />
    ),
  },
  { id: 'device', header: 'Device', width: 140, list: 'below', cell: ({ asset_name }) => <span className="truncate">{asset_name}</span> },
  {
    id: 'end',
    header: 'How it ended',
    width: 220,
    list: 'aside',
    shape: 'two',
    cell: ({ end_reason, ended_by, words }) => (
      <TwoLines
        className="long-aside"
        first={
          <StatusDot
            status={end_reason === 'refused' ? 'failed' : end_reason === 'unanswered' ? 'pending' : 'none'}
            label={end_reason ? supportEnds[end_reason] : ''}
          />
        }
        second={<span className="truncate">{words ? `“${words}”` : ended_by}</span>}
      />
    ),
  },
  {
    id: 'when',
    header: 'When',
    width: 110,
    list: 'below',
    shape: 'two',
    cell: ({ asked_at, allowed_at, ended_at }) => (
      <TwoLines first={<RelativeTime at={asked_at} />} second={lastedWords(allowed_at, ended_at) ?? 'never had access'} />
    ),
  },
]
