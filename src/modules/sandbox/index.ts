export { hookModes } from './hook-mode.ts';
export { readHooks, receiveHook } from './hooks.ts';
export { creditWithTestMoney } from './move-test-money.ts';
export {
  failTransaction,
  payAtGateway,
  payAtTerminal,
  payInstalment,
  receiveTransfer,
} from './report-test-payments.ts';
export { sampleEvents, sendSample } from './send-sample.ts';
