import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { TextField } from '../../ui/TextField.tsx'

/** Where assets go that leave, and whose account that is. */
export type Leaving = { where: 'account' | 'stock'; email: string }
export const startLeaving: Leaving = { where: 'account', email: '' }

/** As the API takes it: the address of the other account; null: back to stock. */
export const leavingTo = ({ where, email }: Leaving): string | null => (where === 'account' ? email.trim() : null)

/** Why they cannot go there, in words. */
export function leavingFault(leaving: Leaving): string | null {
  const to = leavingTo(leaving)
  return to === null || /^\S+@\S+$/.test(to) ? null : 'Enter the e-mail address of the other account'
}

const words = {
  one: {
    leaves: 'It leaves your account. What it used until now stays with you, in reports and charges; elsewhere it begins anew.',
    where: 'Where it goes',
    account: 'They register it by its serial number. Until then you can take it back the same way.',
    stock: 'Whoever has it can register it by its serial number.',
  },
  many: {
    leaves: 'They leave your account. What they used until now stays with you, in reports and charges; elsewhere they begin anew.',
    where: 'Where they go',
    account: 'They are registered there by their serial numbers. Until then you can take them back the same way.',
    stock: 'Whoever has them can register them by their serial numbers.',
  },
}

type Props = { of: keyof typeof words; leaving: Leaving; onChange: (leaving: Leaving) => void }

/** What it means that one asset leaves, or many, and where they go. */
export function LeaveFields({ of, leaving, onChange }: Props) {
  const { leaves, where, account, stock } = words[of]
  return (
    <>
      <p>{leaves}</p>
      <RadioGroup
        label={where}
        hideLabel
        value={leaving.where}
        onChange={(where) => onChange({ ...leaving, where })}
        choices={[
          { value: 'account', label: 'To another account', about: account },
          { value: 'stock', label: 'Back to stock', about: stock },
        ]}
      />
      {leaving.where === 'account' && (
        <TextField
          label="E-mail address of the other account’s owner"
          type="email"
          value={leaving.email}
          autoComplete="off"
          onChange={({ target }) => onChange({ ...leaving, email: target.value })}
        />
      )}
    </>
  )
}
