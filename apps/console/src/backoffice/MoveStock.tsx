import { assignStock, transferStock, type Stock } from '@masthead/contract/backoffice/stock-operations'
import { useNavigate } from 'react-router'
import { FormModal } from '../kit/FormModal.tsx'
import { FormText } from '../kit/FormField.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { toast } from '../ui/toast.ts'
import { useFormContext } from 'react-hook-form'

/** Registers pieces of stock to an account. */
export function AssignStock({ rows, onClose, onDone }: { rows: readonly Stock[]; onClose: () => void; onDone?: () => void }) {
  const count = rows.length === 1 ? rows[0]!.serial : `${rows.length} pieces of stock`
  const handedOver = handedOverWords(rows)
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Assign ${count}`}
      operation={assignStock}
      values={{ serials: rows.map((row) => row.serial), account: '', active: false, reason: '' }}
      submit="Assign"
      onDone={({ assigned }) => {
        toast.success(`${assigned === 1 ? 'One asset is' : `${assigned} assets are`} registered`)
        onDone?.()
      }}
    >
      {handedOver && <p className="text-fg-2 text-pretty wrap-anywhere">{handedOver}</p>}
      <FormText name="account" type="email" label="To account" placeholder="Owner’s e-mail" />
      <ActiveField one={rows.length === 1} />
      <FormText name="reason" label="Reason" hint="The customer sees it in their activities." />
    </FormModal>
  )
}

/** For whom some of it waits, who can no longer register it once it is assigned; null: for nobody. */
function handedOverWords(rows: readonly Stock[]): string | null {
  const waiting = rows.filter(({ state }) => state === 'handed_over')
  if (waiting.length === 0) return null
  const [first, ...others] = new Set(waiting.map(({ reserved_for }) => reserved_for))
  const whom = others.length === 0 ? first : `${first} and ${others.length} more`
  if (rows.length === 1) return `It was handed over and waits for ${whom}, who cannot register it once it is assigned to somebody else.`
  const which = waiting.length === 1 ? 'One of them was handed over and waits' : `${waiting.length} of them were handed over and wait`
  return `${which} for ${whom}, who cannot register what is assigned to somebody else.`
}

const ActiveField = ({ one }: { one: boolean }) => (
  <Checkbox {...useFormContext().register('active')}>
    {one ? 'Its SIM is' : 'Their SIMs are'} activated at once, not with the first session
  </Checkbox>
)

/** Moves a registered asset to another account, or back into stock where no account is named. */
export function TransferStock({ serial, from, onClose }: { serial: string; from: string; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <FormModal
      open
      onClose={onClose}
      title={`Transfer ${serial}`}
      operation={transferStock}
      values={{ account: '', reason: '' }}
      input={({ account, reason }) => ({ params: { serial }, body: { account: account || null, reason } })}
      submit="Transfer"
      color="danger"
      onDone={(stock) => {
        toast.success(stock.account ? `${serial} belongs to ${stock.account} now` : `${serial} is back in stock`)
        void navigate(`/masa/stock?search=${encodeURIComponent(serial)}`)
      }}
    >
      <p className="text-fg-2 text-pretty">
        It belongs to {from}. Its usage stays there; in the other account it starts from zero, with its SIM ready. Its SIM must have no open
        data session.
      </p>
      <FormText
        name="account"
        type="email"
        label="To account"
        emptyIsNone
        placeholder="Owner’s e-mail"
        hint="Leave it empty to move it back into stock"
      />
      <FormText name="reason" label="Reason" hint="Both customers see it in their activities." />
    </FormModal>
  )
}
