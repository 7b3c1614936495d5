// What other areas may use of a SIM's settings.
export { BytesField, limitFault, raiseFault } from './BytesField.tsx'
export { FormBytes } from './FormBytes.tsx'
