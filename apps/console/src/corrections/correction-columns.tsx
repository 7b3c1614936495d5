import { formatDay, monthNames } from '@masthead/contract/kernel/time'
import { changeWords, type Correction } from '@masthead/contract/usage/correction'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'

/** "Nov 2026" */
export const monthWords = (month: string) => `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`

/** What became of it, or what it is, in a few words. */
const standingWords = ({ undone_by, undoes, adjustment_month, mccmnc, rat }: Correction) =>
  [
    undone_by && 'Undone',
    undoes && 'Undoes an earlier one',
    adjustment_month && `Adjustment in ${monthWords(adjustment_month)}`,
    mccmnc && `${mccmnc} ${rat ?? ''}`.trim(),
  ]
    .filter(Boolean)
    .join(' · ')

/** A correction: of which day, by how much, and why. */
export const correctionColumns: Column<Correction>[] = [
  {
    id: 'day',
    header: 'Day',
    width: 132,
    list: 'title',
    shape: 'two',
    cell: ({ day, at }) => <TwoLines first={formatDay(day)} second={<RelativeTime at={at} />} />,
  },
  {
    id: 'change',
    header: 'Change',
    width: 150,
    numeric: true,
    list: 'aside',
    cell: (correction) => <span className={correction.undone_by ? 'text-fg-3 line-through' : undefined}>{changeWords(correction)}</span>,
  },
  {
    id: 'why',
    header: 'Reason',
    list: 'below',
    shape: 'two',
    // In full: it is what one looks for here.
    cell: (correction) => (
      <span className="grid py-1.5 wrap-anywhere whitespace-normal">
        <span>{correction.reason}</span>
        <span className="text-xs text-fg-3">{[correction.by, standingWords(correction)].filter(Boolean).join(' · ')}</span>
      </span>
    ),
  },
]
