import { useQuery } from '@tanstack/react-query'
import { getSecurity } from '@masthead/contract/account/security-operations'
import { demandSecondFactor, getTeam } from '@masthead/contract/teams/operations'
import { ownFactorMissing } from '@masthead/contract/teams/problems'
import { useState } from 'react'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { toast } from '../ui/toast.ts'
import { lackingWords } from './lacking-words.ts'
import { noProof, ProofFields } from './ProofFields.tsx'

/** Below the team: whether a second factor is demanded of everybody, and the owner's switch. */
export function SecondFactorDemand() {
  const { data: team } = useQuery(q(getTeam, {}))
  const { data: security } = useQuery(q(getSecurity, {}))
  const own = useSession(({ user }) => user?.acting_as === null)
  const [open, setOpen] = useState(false)
  if (!team) return null
  const demanded = team.second_factor_demanded
  const none = security && !security.authenticator && security.passkeys.length === 0
  const lacking = [team.owner, ...team.members].filter(({ second_factor }) => second_factor === false).map(({ email }) => email)
  const why = !own ? 'Only the owner of the account can change this' : !demanded && none && ownFactorMissing.title
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line p-4">
      <p className="text-fg-2 text-pretty">
        <b className="font-medium text-fg">{demanded ? 'Two-factor is required' : 'Two-factor is optional'}</b>{' '}
        {demanded ? 'for everybody who works on this account. API keys are not affected.' : 'for those who work on this account.'}
        {lacking.length > 0 && ` ${lackingWords(lacking)}`}
      </p>
      <ActionButton operation={demandSecondFactor} size="small" disabled={why || !security} onClick={() => setOpen(true)}>
        {demanded ? 'Make two-factor optional' : 'Require two-factor'}
      </ActionButton>
      {security && (
        <FormModal
          open={open}
          onClose={() => setOpen(false)}
          title={demanded ? 'Make two-factor optional?' : 'Require two-factor for everybody?'}
          operation={demandSecondFactor}
          values={{ ...noProof, demanded: !demanded }}
          submit={demanded ? 'Make optional' : 'Require it'}
          color={demanded ? 'danger' : 'success'}
          onDone={(reply) => toast.success(reply.demanded ? 'Two-factor is required now' : 'Two-factor is optional now')}
        >
          <p className="text-fg-2 text-pretty">
            {demanded
              ? 'Anybody who learns the password of a member without a second factor can then work on this account.'
              : 'Members without an authenticator app or a passkey lose access to this account at once, until they set one up.'}
          </p>
          {!demanded && lacking.length > 0 && <p className="text-fg-2 text-pretty wrap-anywhere">{lackingWords(lacking)}</p>}
          <ProofFields security={security} focus />
        </FormModal>
      )}
    </div>
  )
}
