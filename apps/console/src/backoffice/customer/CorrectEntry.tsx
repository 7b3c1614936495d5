import { payBack, refundCharge, voidCredit } from '@masthead/contract/backoffice/money-operations'
import { staffCan, type LedgerTransaction } from '@masthead/contract/billing/ledger'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { FormMoney } from '../../billing/index.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { toast } from '../../ui/toast.ts'
import { ReasonModal } from '../ReasonModal.tsx'

type CorrectEntryProps = { email: string; line: LedgerTransaction; currency: Currency; refused: string | null; onDone: () => void }

/** Takes an entry back, or a part of it, by another one. */
export function CorrectEntry({ email, line, currency, refused, onDone }: CorrectEntryProps) {
  const [asking, setAsking] = useState(false)
  const can = staffCan({ ...line, ...(line.amount_micros < 0 && { corrected_by: null }) })
  if (!can) return null
  if (can === 'pay_back') return <PayBack {...{ email, line, currency, refused, onDone }} />
  const common = {
    open: asking,
    onClose: () => setAsking(false),
    params: { email, any_transaction_id: line.id },
    onDone: ({ amount_micros }: { amount_micros: number }) => {
      toast.success(`${can === 'void' ? 'Took back' : 'Refunded'} ${formatMoney(micros(Math.abs(amount_micros)), currency)}`)
      onDone()
    },
  }
  return (
    <div>
      <ActionButton operation={can === 'void' ? voidCredit : refundCharge} disabled={refused} icon={Undo2} onClick={() => setAsking(true)}>
        {can === 'void' ? 'Take back' : 'Refund'}
      </ActionButton>
      {can === 'void' ? (
        <ReasonModal {...common} operation={voidCredit} title="Take back these credits?" submit="Take back" color="danger">
          <p>What is left of them leaves the balance. What was spent stays spent.</p>
        </ReasonModal>
      ) : (
        <ReasonModal
          {...common}
          operation={refundCharge}
          title="Refund this charge?"
          body={{ amount_micros: 0 - line.amount_micros - ((0 - line.amount_micros) % 10_000) || null }}
          submit="Refund"
          color="success"
        >
          <p>The customer gets it back as credits. Nothing is paid to a card.</p>
          <FormMoney name="amount_micros" label="Amount" currency={currency} min={10_000} max={Math.max(10_000, 0 - line.amount_micros)} />
        </ReasonModal>
      )}
    </div>
  )
}

/** What was bought goes back to its card, or a part of it. */
function PayBack({ email, line, currency, refused, onDone }: CorrectEntryProps) {
  const [asking, setAsking] = useState(false)
  return (
    <div>
      <ActionButton operation={payBack} disabled={refused} icon={Undo2} onClick={() => setAsking(true)}>
        Pay back to the card
      </ActionButton>
      <ReasonModal
        open={asking}
        onClose={() => setAsking(false)}
        operation={payBack}
        params={{ email, any_transaction_id: line.id }}
        title="Pay back to the card?"
        body={{ amount_micros: line.amount_micros }}
        submit="Pay back"
        color="danger"
        onDone={({ amount_micros }) => {
          toast.success(`${formatMoney(micros(amount_micros), currency)} are being paid back`)
          onDone()
        }}
      >
        <p>The credits leave the balance once the card provider has paid back. What is spent cannot be paid back.</p>
        <FormMoney name="amount_micros" label="Amount" currency={currency} min={10_000} max={line.amount_micros} />
      </ReasonModal>
    </div>
  )
}
