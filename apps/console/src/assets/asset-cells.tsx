import type { Asset } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useClock } from '../kit/clock.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { CopyText } from '../ui/CopyText.tsx'
import { cx } from '../ui/cx.ts'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines } from '../ui/Table.tsx'
import { matchedNumber, wordsIn } from './query/matched-number.ts'
import { networkWords } from './session-words.ts'
import { simLine } from './sim-words.ts'

const Dash = () => <span className="text-fg-3">—</span>

/** Its name and its number, each a target of 24 px (WCAG 2.5.8) with the words close together. After a search the number that was found. */
export function AssetCell({ asset }: { asset: Asset }) {
  const { id, name, serial, sim } = asset
  const [params] = useSearchParams()
  const text = params.get('search') ?? ''
  const found = useMemo(() => matchedNumber(asset, wordsIn(text)), [asset, text])
  return (
    <span className="relative top-0.5 grid min-w-0">
      <Link to={`/assets/${id}`} className="min-h-6 truncate pt-1 font-medium hover:underline">
        {name}
      </Link>
      {found ? (
        <span className="flex min-w-0 gap-1 text-xs">
          <span className="flex-none text-fg-3">{found.label}</span>
          <CopyText text={found.number} label={found.label} className="min-h-6 items-start! font-medium" />
        </span>
      ) : (
        <CopyText text={sim?.iccid ?? serial} label={sim ? 'ICCID' : 'serial number'} className="min-h-6 items-start! text-xs text-fg-3" />
      )}
    </span>
  )
}

/** The long name of a type takes two lines. */
export function TypeCell({ asset }: { asset: Asset }) {
  const [first, second] = assetTypes[asset.type].split(' + ')
  return <TwoLines className="text-fg-2" first={first} {...(second && { second: `+ ${second}` })} />
}

/** The SIM's status in a shape and a word, and below why. What a blocked one is still set to stands beside. */
export function SimStatusCell({ asset }: { asset: Asset }) {
  const line = useClock((now) => simLine(asset, now))
  const { sim } = asset
  if (!sim) return <span className="text-fg-3">No SIM</span>
  const blocked = sim.status === 'blocked'
  return (
    <TwoLines
      // On a phone its words are too long to stand beside the name.
      className={cx(line.length > 10 && 'long-aside')}
      first={
        <>
          <StatusDot status={sim.status} />
          {blocked && <span className="ml-1.5 text-xs text-fg-3">set to {sim.state}</span>}
        </>
      }
      second={
        <span
          className={cx(blocked && 'text-bad-fg')}
          title={sim.blocks.map((block) => block.words).join('\n') || sim.refused?.words || undefined}
        >
          {line}
        </span>
      }
    />
  )
}

export function LastSeenCell({ asset: { last_seen_at, sim } }: { asset: Asset }) {
  if (!last_seen_at) return <Dash />
  const network = sim?.session && networkWords(sim.session)
  return <TwoLines first={<RelativeTime at={last_seen_at} />} {...(network && { second: network })} />
}

export const Identifier = ({ text, label }: { text: string | null | undefined; label: string }) =>
  text ? <CopyText text={text} label={label} max={22} /> : <Dash />
