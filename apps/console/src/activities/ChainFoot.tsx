import { useQuery } from '@tanstack/react-query'
import { getChain } from '@masthead/contract/activities/operations'
import { formatExactHere } from '@masthead/contract/kernel/time'
import { ShieldCheck } from 'lucide-react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { CopyText } from '../ui/CopyText.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'

/** The newest entry of the account's chain that one reads: what one notes elsewhere to prove later that nothing was changed. */
export function ChainFoot() {
  const { data } = useQuery(q(getChain, {}))
  if (!data?.hash) return null
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 pt-3 text-xs text-fg-3">
      <span className="flex min-w-0 items-start gap-2">
        <Icon of={ShieldCheck} size={14} className="mt-px" />
        {data.chained_at ? (
          <Tooltip content={formatExactHere(data.chained_at)}>
            <span>
              {data.number.toLocaleString('en')} {data.number === 1 ? 'entry' : 'entries'} in the hash chain, with one for each asset where
              many were changed at once. The newest:
            </span>
          </Tooltip>
        ) : (
          <span>Activities are kept in a hash chain. The newest entry that you see:</span>
        )}
      </span>
      <CopyText text={`${data.number}:${data.hash}`} label="newest entry of the hash chain" max={28} className="text-fg-2" />
      <Link to="/faq?question=proof" className="underline underline-offset-3">
        What is this?
      </Link>
    </p>
  )
}
