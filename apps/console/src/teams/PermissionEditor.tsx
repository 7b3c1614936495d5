import { permissions, type Permission } from '@masthead/contract/kernel/permission'
import { presetOf, presets } from '@masthead/contract/teams/presets'
import { permissionNames } from '@masthead/contract/teams/team'
import { useId } from 'react'
import { Checkbox } from '../ui/Checkbox.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'

/** What changes something is of little use to who cannot see it: choosing the one chooses the other. */
const seeing = (name: string) => name.replace(/\.\w+$/, '.view') as Permission
const links = ['faq', 'community', 'contact']

function toggled(chosen: readonly string[], name: Permission): string[] {
  if (chosen.includes(name)) return chosen.filter((one) => one !== name && (one === seeing(one) || seeing(one) !== name))
  const wanted = new Set([...chosen, name, ...(permissionNames.includes(seeing(name)) ? [seeing(name)] : [])])
  return permissionNames.filter((one) => wanted.has(one))
}

const groups: { title: string; names: readonly Permission[] }[] = [
  { title: 'See', names: permissionNames.filter((name) => name.endsWith('.view')) },
  { title: 'Change', names: permissionNames.filter((name) => name.includes('.') && !name.endsWith('.view')) },
  { title: 'Help menu', names: permissionNames.filter((name) => links.includes(name)) },
]

/** Permissions to grant: a preset, or each by itself. What one may not grant is there, and says why. */
export function PermissionEditor({
  value,
  onChange,
  grantable,
}: {
  value: readonly string[]
  onChange: (names: string[]) => void
  grantable: readonly string[]
}) {
  const id = useId()
  const within = (names: readonly string[]) => names.every((name) => grantable.includes(name))
  return (
    <div className="grid gap-4">
      <RadioGroup
        label="Permissions"
        choices={[
          ...presets.map(({ label, words, permissions: names }) => ({
            value: label,
            label,
            about: words,
            ...(!within(names) && { disabled: 'It contains permissions that you do not have' }),
          })),
          { value: 'own', label: 'Custom', about: 'The permissions selected below' },
        ]}
        value={presetOf(value)?.label ?? 'own'}
        onChange={(label) => {
          const preset = presets.find((one) => one.label === label)
          if (preset) onChange([...preset.permissions])
        }}
      />
      <div className="grid gap-4 rounded-lg border border-line p-3 @sm:grid-cols-2">
        {groups.map(({ title, names }) => (
          <fieldset key={title} className="grid content-start gap-1.5">
            <legend className="mb-1.5 text-xs text-fg-3">{title}</legend>
            {names.map((name) => {
              const out = grantable.includes(name) ? null : `${id}-out`
              return (
                <Checkbox
                  key={name}
                  className={out ? 'items-start text-fg-3' : 'items-start'}
                  checked={value.includes(name)}
                  disabled={out !== null}
                  aria-describedby={out ?? undefined}
                  onChange={() => onChange(toggled(value, name))}
                >
                  <span className="-mt-0.5">{permissions[name]}</span>
                </Checkbox>
              )
            })}
          </fieldset>
        ))}
        {!within(permissionNames) && (
          <p id={`${id}-out`} className="text-xs text-fg-3 @sm:col-span-2">
            You cannot grant the permissions that are disabled, because you do not have them yourself.
          </p>
        )}
      </div>
    </div>
  )
}
