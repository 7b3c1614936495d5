import { problem } from '../kernel/problem.ts'

export const noDeviceYet = problem({ code: 'no_device_yet', status: 409, title: 'This asset has no device yet: set it up first' })
export const coreDeviceOnly = problem({ code: 'core_device_only', status: 409, title: 'Only a CORE device takes this' })
export const tooManyChanges = problem({
  code: 'too_many_changes',
  status: 409,
  title: 'Changes of this configuration wait for the device already',
})
export const changeNotWaiting = problem({ code: 'change_not_waiting', status: 409, title: 'The device has this change already' })
export const vitalsPeriodWrong = problem({
  code: 'vitals_period_wrong',
  status: 400,
  title: 'Choose a period that ends after it begins, of at most 90 days',
})
