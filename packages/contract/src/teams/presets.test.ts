import { expect, test } from 'vitest'
import { isPermission } from '../kernel/permission.ts'
import { presetOf, presets } from './presets.ts'

test('presets grant names that exist, the three links among them', () => {
  for (const { label, permissions } of presets) {
    expect(
      permissions.filter((name) => !isPermission(name)),
      label
    ).toEqual([])
    expect(permissions, label).toEqual(expect.arrayContaining(['faq', 'community', 'contact', 'overview.view']))
  }
})

test('to read changes nothing, to pay changes no asset', () => {
  const [, operator, billing, reader] = presets
  expect(reader!.permissions.filter((name) => !name.endsWith('.view') && name.includes('.'))).toEqual([])
  expect(billing!.permissions.filter((name) => /^(assets|profile|developers|terminal)/.test(name))).toEqual([])
  expect(operator!.permissions.filter((name) => /^(billing|profile|developers)/.test(name))).toEqual([])
})

test('a preset is known by its permissions in any order', () => {
  for (const preset of presets) expect(presetOf(preset.permissions.toReversed())).toBe(preset)
  expect(presetOf(['assets.view'])).toBeUndefined()
})
