export { beginPiece, endPiece } from './piece.ts';
