import type { PastBlock, ServiceSpan } from '@masthead/contract/assets/past/history-operations'
import type { BlockCode, Sim, SimState } from '@masthead/contract/assets/sim'
import { inOrder } from '@masthead/contract/assets/sim'

/** Something that was recorded of a SIM's service. Times are milliseconds since 1970. */
export type Moment = { at: number } & (
  | { is: 'state'; state: SimState; by: string | null }
  | { is: 'on'; code: BlockCode; words: string | null }
  /** It stays, for another reason than before. */
  | { is: 'taken_over'; code: BlockCode; words: string; old_words: string }
  | { is: 'off'; code: BlockCode }
)

type Held = { code: BlockCode; from: number; since: number | null; until: number; words: string | null; unsure: boolean }
type Own = { from: number; state: SimState | null; since: number | null; by: string | null }
type Now = Pick<Sim, 'state' | 'blocks'> & { state_changed_at: number | null; state_changed_by: string | null }

/**
 * How a SIM stood from `from` to `until`, out of what was recorded, oldest first, and of how it stands now. What is now is certain: where records do
 * not lead to it, the time before is shown as not kept.
 */
export function spansOf(moments: readonly Moment[], now: Now, from: number, until: number): ServiceSpan[] {
  const own = ownStates(moments, now)
  const held = heldBlocks(moments, now, from, until)
  const cuts = new Set([from, ...own.map((each) => each.from), ...held.flatMap((block) => [block.from, block.until])])
  const starts = [...cuts].filter((at) => at >= from && at < until).toSorted((a, b) => a - b)
  return starts.map((start, nth) => {
    const is = own.findLast((each) => each.from <= start) ?? { state: null, since: null, by: null }
    const blocks = held.filter((block) => block.from <= start && start < block.until)
    return {
      from: iso(start),
      until: iso(starts[nth + 1] ?? until),
      state: is.state,
      state_since: is.since === null ? null : iso(is.since),
      state_by: is.by,
      blocks: inOrder(
        blocks.map(({ code, since, words, unsure }): PastBlock => ({ code, since: since === null ? null : iso(since), words, unsure }))
      ),
    }
  })
}

/** The states one after the other; none before the first that is known. */
function ownStates(moments: readonly Moment[], { state, state_changed_at, state_changed_by }: Now): Own[] {
  const own = moments.flatMap((moment): Own[] =>
    moment.is === 'state' ? [{ from: moment.at, state: moment.state, since: moment.at, by: moment.by }] : []
  )
  if (own.at(-1)?.state === state) return own
  const changed = state_changed_at ?? own.at(-1)?.from ?? 0
  const known = own.filter((each) => each.from < changed)
  return [...known, { from: changed, state, since: state_changed_at, by: state_changed_by }]
}

function heldBlocks(moments: readonly Moment[], { blocks }: Now, from: number, until: number): Held[] {
  const codes = new Set<BlockCode>([...blocks.map(({ code }) => code), ...moments.flatMap((one) => (one.is === 'state' ? [] : [one.code]))])
  return [...codes].flatMap((code) => {
    const held: Held[] = []
    let open: Held | null = null
    let isKnown = false
    for (const moment of moments) {
      if (moment.is === 'state' || moment.code !== code) continue
      if (moment.is === 'on') open ??= { code, from: moment.at, since: moment.at, until, words: moment.words, unsure: false }
      else if (moment.is === 'taken_over') {
        const before: Held = open ?? { code, from, since: null, until, words: moment.old_words, unsure: false }
        if (open || !isKnown) held.push({ ...before, until: moment.at })
        open = { ...before, from: moment.at, words: moment.words }
      }
      // Lifted, and nothing says when it was put on: it stood before what is kept.
      else if (open) held.push({ ...open, until: moment.at })
      else if (!isKnown) held.push({ code, from, since: null, until: moment.at, words: null, unsure: false })
      if (moment.is === 'off') open = null
      isKnown = true
    }
    const now = blocks.find((block) => block.code === code)
    if (now) held.push(open ?? { code, from: Date.parse(now.since), since: Date.parse(now.since), until, words: now.words, unsure: false })
    else if (open) held.push({ ...open, unsure: true })
    return held
  })
}

const iso = (at: number) => new Date(at).toISOString()
